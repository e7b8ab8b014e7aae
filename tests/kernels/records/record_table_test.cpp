#include "kernels/records/record_table.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "kernels/records/read_table.h"
#include "kernels/records/record_csv.h"
#include "tests/kernels/files/temp_folder.h"
#include "tests/kernels/records/many_records.h"

namespace convscope {
namespace {

Record odd_record() {
    Record record = testing::many_records(1)[0];
    record.status_reason = "noise 0.8 % reached, \"quoted\"";
    record.seed = std::numeric_limits<std::uint64_t>::max();
    record.time_median_us = 0.1 + 0.2;
    record.max_rel_err = std::numeric_limits<double>::infinity();
    record.shape.pool_h = record.shape.pool_w = record.shape.pool_stride = 2;
    return record;
}

TEST(RecordTable, gives_back_each_row_to_the_last_digit) {
    RecordTable table;
    const Record record = odd_record();
    Record rejected;
    rejected.status = Status::invalid_config;
    rejected.block = Dim3{2048, 1, 1};
    table.append(record, "a.csv");
    table.append(rejected, "live");
    ASSERT_EQ(table.rows(), 2U);
    EXPECT_EQ(csv_row(table.record(0)), csv_row(record));
    EXPECT_EQ(table.csv_row(0), csv_row(record));
    EXPECT_EQ(csv_row(table.record(1)), csv_row(rejected));
    EXPECT_EQ(table.cell(0, table_column("file")), "a.csv");
    EXPECT_EQ(table.number(1, table_column("time_median_us")), std::nullopt);
    EXPECT_EQ(table.number(1, table_column("block_size_x")), 2048);
}

TEST(RecordTable, has_a_column_for_each_of_the_csv_and_keeps_text_apart_from_numbers) {
    ASSERT_EQ(table_columns().size(), csv_columns().size() + 3) << "more padding, and the file";
    for (std::size_t i = 0; i < csv_columns().size(); ++i) EXPECT_EQ(table_columns()[i].name, csv_columns()[i]);
    EXPECT_THROW(table_column("speed"), std::out_of_range);
    EXPECT_EQ(find_table_column("speed"), std::nullopt);
}

TEST(RecordTable, keeps_the_padding_of_each_side) {
    RecordTable table;
    Record record = odd_record();
    record.shape.pad_h = 1, record.shape.pad_w = 0;
    const std::array<std::pair<std::int64_t, std::int64_t>, 5> extras{{{0, 0}, {-1, 2}, {-1, 2}, {0, 2}, {0, 0}}};
    for (const auto& [h, w] : extras) {
        record.shape.pad_extra_h = h, record.shape.pad_extra_w = w;
        table.append(record, "a.csv");
        EXPECT_EQ(table.csv_row(table.rows() - 1), csv_row(record));
        EXPECT_EQ(table.record(table.rows() - 1).shape, record.shape);
    }
    EXPECT_EQ(table.cell(1, table_column("pad_h")), "1+0");
    EXPECT_EQ(table.cell(3, table_column("pad_h")), "1");
    EXPECT_EQ(table.number(1, table_column("pad_extra_h")), -1);
    EXPECT_EQ(table.number(4, table_column("pad_extra_w")), std::nullopt);
}

TEST(RecordTable, a_number_that_is_none_is_not_an_empty_cell) {
    Record record = odd_record();
    record.max_rel_err = std::nan("");
    RecordTable table;
    table.append(record, "");
    const std::optional<double> error = table.number(0, table_column("max_rel_err"));
    ASSERT_TRUE(error);
    EXPECT_TRUE(std::isnan(*error));
}

TEST(RecordTable, a_renamed_method_is_listed_under_its_new_name) {
    Record record = odd_record();
    record.method = "ocpa3";
    record.family = "ocpa";
    RecordTable table;
    table.append(record, "");
    table.append(odd_record(), "");
    EXPECT_EQ(table.cell(0, table_column("method")), "tensor3");
    EXPECT_EQ(table.cell(0, table_column("family")), "tensor");
    EXPECT_EQ(table.cell(1, table_column("method")), odd_record().method);
    EXPECT_EQ(table.cell(1, table_column("family")), odd_record().family);
}

TEST(RecordTable, tables_are_joined) {
    const std::vector<Record> records = testing::many_records(1200);
    RecordTable all, first, second;
    for (std::size_t i = 0; i < records.size(); ++i) {
        all.append(records[i], "x");
        (i < 700 ? first : second).append(records[i], "x");
    }
    first.append(second);
    ASSERT_EQ(first.rows(), all.rows());
    for (std::size_t row = 0; row < all.rows(); ++row) EXPECT_EQ(first.csv_row(row), all.csv_row(row)) << row;
}

TEST(RecordTable, is_small_where_rows_repeat_themselves) {
    RecordTable table;
    for (const Record& record : testing::many_records(20000)) table.append(record, "x");
    EXPECT_LT(table.bytes() / table.rows(), 300U) << "as text a row takes some 600 bytes";
}

TEST(RecordTable, a_row_that_is_not_a_record_is_named) {
    const TempFolder folder;
    const auto path = folder.write("a.csv", "method,time_median_us\na,1\n");
    const RecordTable table = read_table(path).table;
    expect_contains(error_of(ErrorKind::file, [&] { table.record(0); }), "row 1 is not a record: ");
}

}  // namespace
}  // namespace convscope
