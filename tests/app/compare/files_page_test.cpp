// Compare's page of two files.
#include <gtest/gtest.h>

#include "tests/app/compare/compare_rows.h"

namespace convscope::app {
namespace {

/// The page of two files, all of one layer.
std::shared_ptr<CompareResult> two_files(const std::vector<Record>& before, const std::vector<Record>& after) {
    auto data = std::make_shared<CompareData>();
    for (const Record& record : before) data->table.append(record, "before.csv");
    for (const Record& record : after) data->table.append(record, "after.csv");
    data->layer.assign(before.size() + after.size(), 0);
    data->layer_names = {"layer"};
    CompareChoice choice;
    choice.page = "files";
    return make_compare_result({data, choice}, {});
}

TEST(FilesPage, pairs_improved_worse_and_unclear) {
    const auto result = two_files({row("ecr3", 100), row("csr1", 100), row("im2col", 100), row("mec2", 100)},
                                  {row("ecr3", 50), row("csr1", 200), row("im2col", 100.5)});
    ASSERT_EQ(result->pairs.size(), 3U);
    EXPECT_EQ(result->pairs[0].verdict, Verdict::improved);
    EXPECT_EQ(result->pairs[1].verdict, Verdict::unclear);
    EXPECT_EQ(result->pairs[2].verdict, Verdict::worse);
    EXPECT_EQ(result->findings[0],
              "Of 3 measurements in both, 1 improved, 1 became worse, 0 are tied, "
              "1 cannot be told apart.");
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

}  // namespace
}  // namespace convscope::app
