// Compare's page of two files.
#include <gtest/gtest.h>

#include "kernels/records/table_builder.h"
#include "tests/app/compare/compare_rows.h"

namespace convscope::app {
namespace {

/// The page of two files, all of one layer.
std::shared_ptr<CompareResult> page_of(const std::shared_ptr<CompareData>& data) {
    data->layer.assign(data->table.rows(), 0);
    data->layer_names = {"layer"};
    CompareChoice choice;
    choice.page = "files";
    return make_compare_result({data, choice}, {});
}

std::shared_ptr<CompareResult> two_files(const std::vector<Record>& before, const std::vector<Record>& after) {
    auto data = std::make_shared<CompareData>();
    for (const Record& record : before) data->table.append(record, "before.csv");
    for (const Record& record : after) data->table.append(record, "after.csv");
    return page_of(data);
}

TEST(FilesPage, pairs_improved_worse_and_unclear) {
    const auto result = two_files({row("ecr3", 100), row("csr1", 100), row("im2col", 100), row("mec2", 100)},
                                  {row("ecr3", 50), row("csr1", 200), row("im2col", 100.5)});
    ASSERT_EQ(result->pairs.size(), 3U);
    EXPECT_EQ(result->pairs[0].verdict, Verdict::improved);
    EXPECT_EQ(result->pairs[1].verdict, Verdict::unclear);
    EXPECT_EQ(result->pairs[2].verdict, Verdict::worse);
    EXPECT_EQ(result->findings[0].text(),
              "Of 3 measurements in both, 1 improved, 1 are worse, 0 are tied (within 1 %), "
              "1 are unclear.");
}

TEST(FilesPage, a_file_against_itself_is_one_sentence) {
    auto data = std::make_shared<CompareData>();
    for (const char* file : {"before.csv", "after.csv"}) data->table.append(row("ecr3", 100), file);
    data->layer.assign(2, 0);
    data->layer_names = {"layer"};
    CompareChoice choice;
    choice.page = "files";
    choice.before = choice.after = "before.csv";
    const auto result = make_compare_result({data, choice}, {});
    EXPECT_TRUE(result->pairs.empty());
    EXPECT_EQ(result->plots.at(0).empty_hint,
              "Both choices above are the same file: choose another one to compare it with.");
}

TEST(FilesPage, has_the_latest_row_of_each_point) {
    const auto at = [](Record record, const char* time) {
        record.timestamp_utc = time;
        return record;
    };
    Record other_gpu = row("ecr3", 10);
    other_gpu.device_name = "NVIDIA H200";
    const auto result =
        two_files({at(row("ecr3", 100), "2026-11-21T03:17:44Z"), at(row("ecr3", 500), "2026-11-21T03:17:43Z")},
                  {row("ecr3", 400), row("ecr3", 50), other_gpu});
    ASSERT_EQ(result->pairs.size(), 1U);
    EXPECT_DOUBLE_EQ(result->pairs[0].ratio, 0.5);
}

TEST(FilesPage, rows_from_before_a_field_existed_are_the_point_of_its_default) {
    std::vector<std::optional<std::size_t>> without(csv_columns().size());
    for (std::size_t i = 0; i < without.size(); ++i)
        if (!csv_columns()[i].starts_with("dilation") && csv_columns()[i] != "groups") without[i] = i;
    const std::vector<std::string> cells = csv_cells(row("ecr3", 100));
    auto data = std::make_shared<CompareData>();
    TableBuilder(data->table, "before.csv", without).add({cells.begin(), cells.end()});
    Record grouped = row("ecr3", 20);
    grouped.shape.groups = 2;
    data->table.append(grouped, "after.csv");
    data->table.append(row("ecr3", 50), "after.csv");
    const auto result = page_of(data);
    ASSERT_EQ(result->pairs.size(), 1U);
    EXPECT_DOUBLE_EQ(result->pairs[0].ratio, 0.5);
}

}  // namespace
}  // namespace convscope::app
