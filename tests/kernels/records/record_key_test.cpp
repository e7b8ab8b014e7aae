// Two rows with the same key measure the same thing: the key and its columns must not drift apart.
#include "kernels/records/record_key.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>

#include "kernels/layers/shape_fields.h"
#include "kernels/records/csv_file.h"
#include "kernels/records/record_csv.h"
#include "tests/kernels/records/full_record.h"

namespace convscope {
namespace {

/// The record with another value in one column; of a number, one digit more.
Record with_other(const Record& record, const std::string& column) {
    static const std::map<std::string, std::string> words{
        {"source", "uniform"},      {"seed", "7"},         {"sparsity_target", "0.5"}, {"tunables", "tile=64;unroll=4"},
        {"timing_scope", "launch"}, {"cache_mode", "hot"}, {"method", "ecr3"},         {"dtype", "tf32"},
        {"weight_pattern", "rows"}};
    std::string header, line;
    const std::vector<std::string>& names = csv_columns();
    const CsvContent whole = read_csv("row.csv", csv_header() + "\r\n" + csv_row(record) + "\r\n");
    EXPECT_EQ(whole.errors, std::vector<std::string>{});
    std::string text = csv_row(record), cell;
    std::size_t at = 0, number = 0;
    bool quoted = false;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        if (i < text.size() && text[i] == '"') quoted = !quoted;
        if (i < text.size() && (text[i] != ',' || quoted)) continue;
        if (names[number++] == column) {
            const auto word = words.find(column);
            const std::string other = word == words.end() ? text.substr(at, i - at) + "1" : word->second;
            text.replace(at, i - at, other);
            break;
        }
        at = i + 1;
    }
    const CsvContent changed = read_csv("row.csv", csv_header() + "\r\n" + text + "\r\n");
    EXPECT_EQ(changed.errors, std::vector<std::string>{}) << column;
    return changed.records.empty() ? record : changed.records.front();
}

TEST(RecordKey, changes_with_every_column_that_says_what_was_measured) {
    const Record record = testing::full_record();
    for (const std::string column : point_columns()) {
        if (column == "dtype") continue;
        if (column.starts_with("pad_extra")) continue;  // in the cells of pad_h and pad_w
        EXPECT_NE(point_key(with_other(record, column)), point_key(record)) << column;
    }
}

TEST(RecordKey, changes_with_the_padding_of_each_side) {
    Record record = testing::full_record();
    const std::string equal = point_key(record);
    record.shape.pad_extra_h = 1;
    const std::string below = point_key(record);
    std::swap(record.shape.pad_extra_h, record.shape.pad_extra_w);
    EXPECT_NE(below, equal);
    EXPECT_NE(point_key(record), equal);
    EXPECT_NE(point_key(record), below);
}

TEST(RecordKey, has_what_was_measured_and_how) {
    const auto columns = point_columns();
    EXPECT_EQ(columns.size(), 2 + std::size(shape_fields) + 14);
    for (const std::string wanted :
         {"method", "dtype", "h", "groups", "source", "seed", "sparsity_target", "grid_size_x", "block_size_z",
          "tunables", "timing_scope", "cache_mode", "weight_sparsity_target", "weight_pattern"})
        EXPECT_TRUE(std::ranges::any_of(columns, [&](const char* name) { return wanted == name; })) << wanted;
}

TEST(RecordKey, without_zeros_requested_in_w_is_the_key_of_before) {
    Record record = testing::full_record();
    record.weight_sparsity_target = 0;
    record.weight_pattern = "uniform";
    EXPECT_TRUE(point_key(record).ends_with("|" + record.cache_mode)) << point_key(record);
    EXPECT_EQ(point_text(record).find("weights"), std::string::npos) << point_text(record);
    record.weight_sparsity_target = 0.5;
    record.weight_pattern = "2:4";
    EXPECT_TRUE(point_key(record).ends_with("|" + record.cache_mode + "|2:4,0.5")) << point_key(record);
    EXPECT_NE(point_text(record).find(" zeros, weights 50 % zeros (2:4), seed"), std::string::npos)
        << point_text(record);
}

TEST(RecordKey, of_two_rows_of_one_second_the_one_further_down_counts) {
    Record there = testing::full_record(), next = there;
    EXPECT_TRUE(supersedes(next, there));
    there.timestamp_utc = "2100-01-01T00:00:00Z";
    EXPECT_FALSE(supersedes(next, there));
    there.status = Status::cancelled;
    EXPECT_TRUE(supersedes(next, there));
}

TEST(RecordKey, and_with_no_other_column) {
    const Record record = testing::full_record();
    for (const std::string column : {"dtype", "p", "registers", "samples", "time_median_us", "workspace_bytes"})
        EXPECT_EQ(point_key(with_other(record, column)), point_key(record)) << column;
}

TEST(RecordKey, a_point_in_words_has_its_launch) {
    Record record;
    record.method = "ecr2";
    EXPECT_TRUE(point_text(record).starts_with("ecr2 on ")) << point_text(record);
    record.block = Dim3{32, 2, 1};
    EXPECT_TRUE(point_text(record).starts_with("ecr2 [32x2x1] on ")) << point_text(record);
    record.tunables = "tile=64";
    EXPECT_TRUE(point_text(record).starts_with("ecr2 [32x2x1] tile=64 on ")) << point_text(record);
}

}  // namespace
}  // namespace convscope
