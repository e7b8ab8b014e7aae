#include "kernels/records/row_query.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "kernels/core/error.h"
#include "kernels/records/read_table.h"
#include "tests/kernels/files/temp_folder.h"
#include "tests/kernels/records/many_records.h"

namespace convscope {
namespace {

RecordTable table_of(std::size_t count) {
    RecordTable table;
    for (const Record& record : testing::many_records(count)) table.append(record, "x");
    return table;
}

TEST(RowSet, counts_joins_and_inverts) {
    RowSet a(130), b(130, true);
    a.insert(0);
    a.insert(64);
    a.insert(129);
    EXPECT_EQ(a.count(), 3U);
    EXPECT_EQ((~a).count(), 127U);
    EXPECT_EQ((b &= a).list(), (std::vector<std::uint32_t>{0, 64, 129}));
    a.grow(200);
    EXPECT_EQ((~a).count(), 197U);
    a.erase(64);
    EXPECT_EQ(a.count(), 2U);
    a.grow(3);
    EXPECT_EQ(a.count(), 2U) << "no smaller";
    EXPECT_EQ((~RowSet(128)).count(), 128U);
    RowSet grown(10);
    grown.grow(128);
    EXPECT_EQ((~grown).count(), 128U);
}

TEST(RowQuery, finds_rows_by_text_number_and_range) {
    const RecordTable table = table_of(700);
    const auto count = [&](const std::string& line) { return rows_where(table, parse_query(line)).count(); };
    EXPECT_EQ(count(""), 700U);
    EXPECT_EQ(count("method=ecr1,ecr2"), 200U);
    EXPECT_EQ(count("ecr1"), 100U) << "a word is looked for in every text cell";
    EXPECT_EQ(count("block_size_x=32 method=cudnn"), 20U);
    EXPECT_EQ(count("sparsity_target=0:0.1"), 105U);
    EXPECT_EQ(count("sparsity_target<0.1"), 70U);
    EXPECT_EQ(count("zeros=0%:10%"), 105U) << "as the table's head has it";
    EXPECT_EQ(count("zeros>50%"), count("sparsity_target>0.5"));
    EXPECT_EQ(count("zeros=50%"), count("sparsity_target=0.5"));
    EXPECT_EQ(count("occupancy_pct<60%"), 700U);
    EXPECT_EQ(count("status=invalid_config"), 14U);
    EXPECT_EQ(count("time_median_us>0"), 686U) << "an empty cell meets no range";
    EXPECT_EQ(count("H100 hbm3"), 700U);
}

TEST(RowQuery, says_what_it_does_not_understand) {
    const auto message = [](const std::string& line) {
        try {
            parse_query(line);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_EQ(message("speed=3"), "'speed' is not a column; the table's head has their names");
    EXPECT_EQ(message("n=3x"), "'3x' in 'n=3x' is not a number");
    EXPECT_EQ(message("n<many"), "'many' in 'n<many' is not a number");
    EXPECT_EQ(message("n<5%"), "'5%' in 'n<5%' is not a number");
    for (const std::string number : {"50", "101%"})
        EXPECT_EQ(message("zeros>" + number),
                  "'" + number + "' in 'zeros>" + number + "' is not a share; accepted are 0 to 1 and 0% to 100%");
    EXPECT_EQ(message("method<3"), "'method' holds text; write method=VALUE");
    EXPECT_EQ(message("pad_h=0+"), "'' in 'pad_h=0+' is not a number");
    EXPECT_EQ(message("pad_w=0+x"), "'x' in 'pad_w=0+x' is not a number");
    EXPECT_EQ(message("n=0+1"), "'0+1' in 'n=0+1' is not a number");
}

TEST(RowQuery, orders_rows_with_empty_cells_last) {
    const RecordTable table = table_of(200);
    const std::size_t column = table_column("time_median_us");
    for (const bool descending : {false, true}) {
        const std::vector<std::uint32_t> order = in_order(table, RowSet(200, true), column, descending);
        ASSERT_EQ(order.size(), 200U);
        for (std::size_t i = 1; i < 196; ++i) {
            const double a = *table.number(order[i - 1], column), b = *table.number(order[i], column);
            EXPECT_TRUE(descending ? a >= b : a <= b);
        }
        for (std::size_t i = 196; i < 200; ++i) EXPECT_FALSE(table.number(order[i], column));
    }
    const std::vector<std::uint32_t> by_method = in_order(table, RowSet(200, true), table_column("method"), false);
    EXPECT_EQ(table.cell(by_method.front(), table_column("method")), "csr1");
    EXPECT_EQ(table.cell(by_method.back(), table_column("method")), "mec2");
}

TEST(RowQuery, lists_distinct_cells) {
    const RecordTable table = table_of(700);
    EXPECT_EQ(distinct_cells(table, RowSet(700, true), table_column("block_size_x")),
              (std::vector<std::string>{"32", "64", "96", "128", "160"}));
    EXPECT_EQ(distinct_cells(table, rows_where(table, parse_query("method=ecr2,csr1")), table_column("method")),
              (std::vector<std::string>{"ecr2", "csr1"}));
}

TEST(RowQuery, takes_the_padding_of_both_sides_as_one_cell) {
    RecordTable table;
    Record record = testing::many_records(1).front();
    // "2", "0+1", "0", "1", "0+1", "10"
    for (const auto& [above, more] : {std::pair{2, 0}, {0, 1}, {0, 0}, {1, 0}, {0, 1}, {10, 0}}) {
        record.shape.pad_h = above, record.shape.pad_extra_h = more;
        table.append(record, "x");
    }
    using Rows = std::vector<std::uint32_t>;
    const auto found = [&](const std::string& line) { return rows_where(table, parse_query(line)).list(); };
    EXPECT_EQ(found("pad_h=0"), Rows{2}) << "on both sides";
    EXPECT_EQ(found("pad_h=0+1"), (Rows{1, 4}));
    EXPECT_EQ(found("pad_h=1+0"), Rows{});
    EXPECT_EQ(found("pad_h=1+1,0+1"), (Rows{1, 3, 4}));
    EXPECT_EQ(found("pad_h>0"), (Rows{0, 3, 5})) << "of the first number";
    EXPECT_EQ(found("pad_extra_h=1"), (Rows{1, 4}));
    const RowSet all(table.rows(), true);
    const std::size_t column = table_column("pad_h");
    EXPECT_EQ(distinct_cells(table, all, column), (std::vector<std::string>{"0", "0+1", "1", "2", "10"}));
    EXPECT_EQ(in_order(table, all, column, false), (Rows{2, 1, 4, 3, 0, 5}));
    EXPECT_EQ(in_order(table, all, column, true), (Rows{5, 0, 3, 1, 4, 2}));
}

TEST(RowQuery, finds_rows_among_texts_of_any_number) {
    const TempFolder folder;
    for (const std::uint32_t last : {200U, 300U, 70000U}) {  // codes of one, two and four bytes
        std::string text = "method,time_median_us\n";
        for (std::uint32_t i = 0; i <= last; ++i) text += "own" + std::to_string(i) + ".,1\n";
        const RecordTable table = read_table(folder.write("a.csv", text)).table;
        const auto found = [&](const std::string& line) { return rows_where(table, parse_query(line)).list(); };
        const std::string name = std::to_string(last) + ".";
        EXPECT_EQ(found("method=own" + name), std::vector{last});
        EXPECT_EQ(found("OWN" + name), std::vector{last});
    }
}

/// Two layers, the second without a time, a library or a name.
RecordTable table_of_two() {
    std::vector<Record> records = testing::many_records(2);
    records[0].vendor_version = "Nine";
    records[0].shape.h = 7;
    records[0].sparsity_target = 0.25;
    records[1].vendor_version.clear();
    records[1].shape.h = 9;
    records[1].sparsity_target = 0.5;
    records[0].time_median_us = 3.5;
    records[1].time_median_us.reset();
    RecordTable table;
    for (const Record& record : records) table.append(record, "x");
    return table;
}

TEST(RowQuery, finds_empty_cells_and_numbers_by_their_text) {
    const RecordTable table = table_of_two();
    const auto found = [&](const std::string& line) { return rows_where(table, parse_query(line)).list(); };
    const std::vector<std::uint32_t> first{0}, second{1}, none, both{0, 1};
    EXPECT_EQ(found("vendor_version="), second);
    EXPECT_EQ(found("vendor_version=Nine"), first);
    EXPECT_EQ(found("vendor_version=Nine,Ten"), first);
    EXPECT_EQ(found("nine"), first) << "whatever the case";
    EXPECT_EQ(found("h=9"), second);
    EXPECT_EQ(found("h=9 h=7"), none);
    EXPECT_EQ(found("h>6"), both);
    EXPECT_EQ(found("h>7"), second);
    EXPECT_EQ(found("h<9"), first);
    EXPECT_EQ(found("h=8:10"), second);
    EXPECT_EQ(found("=nothing"), none) << "a word";
    const auto holds = [&](const char* column, const char* part) {
        RowCondition condition;
        condition.column = table_column(column);
        condition.contains = part;
        return rows_where(table, {condition}).list();
    };
    EXPECT_EQ(holds("time_median_us", ".5"), first);
    EXPECT_EQ(holds("vendor_version", "IN"), first);
    EXPECT_EQ(holds("vendor_version", "X"), none);
}

TEST(RowQuery, orders_and_lists_empty_cells_and_fractions) {
    const RecordTable table = table_of_two();
    const RowSet all(2, true);
    const auto cells = [&](const char* column) { return distinct_cells(table, all, table_column(column)); };
    EXPECT_EQ(cells("time_median_us"), (std::vector<std::string>{"", "3.5"}));
    EXPECT_EQ(cells("sparsity_target"), (std::vector<std::string>{"0.25", "0.5"}));
    EXPECT_EQ(cells("vendor_version"), (std::vector<std::string>{"Nine", ""}));
    for (const bool descending : {false, true})
        EXPECT_EQ(in_order(table, all, table_column("vendor_version"), descending), (std::vector<std::uint32_t>{0, 1}));
}

}  // namespace
}  // namespace convscope
