#include "app/cli/table.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "kernels/measure/run_counts.h"
#include "tests/kernels/files/temp_folder.h"

namespace convscope::cli {
namespace {

TEST(Table, times_have_three_digits_and_a_unit) {
    EXPECT_EQ(time_text(0.5), "0.50 us");
    EXPECT_EQ(time_text(4.215), "4.21 us");
    EXPECT_EQ(time_text(12.34), "12.3 us");
    EXPECT_EQ(time_text(99.97), "100 us");
    EXPECT_EQ(time_text(141.3), "141 us");
    EXPECT_EQ(time_text(3710), "3.71 ms");
    EXPECT_EQ(time_text(2.05e6), "2.05 s");
    EXPECT_EQ(time_text(9.25e8), "925 s");
}

TEST(Table, the_simulated_gpu_has_counts_in_place_of_times) {
    Record counted, not_counted;
    counted.device = not_counted.device = "sim";
    counted.method = "ecr3";
    counted.shape.h = counted.shape.w = 4;
    counted.shape.r = counted.shape.s = 3;
    add_counts(counted,
               {.multiplications = 72, .instructions = 40, .requests = 20, .sectors = 1234567, .bank_conflicts = 0});
    not_counted.method = "im2col";
    not_counted.status_reason = "its products are a library's";
    const std::string table = table_of({counted, not_counted});
    for (const char* part : {"sectors", "bank conflicts", "of dense work", "2.00x", "1 234 567"})
        expect_contains(table, part);
    expect_contains(table, "its products are a library's");
    EXPECT_EQ(table.find("median"), std::string::npos);
    expect_contains(heading_of(counted), "no clock");
    EXPECT_EQ(heading_of(counted).find("scope"), std::string::npos);
}

TEST(Table, counts_fit_a_terminal_of_80_columns) {
    std::vector<Record> records(7);
    for (std::size_t i = 0; i < records.size(); ++i) {
        Record& record = records[i];
        record.device = "sim";
        record.method = fmt::format("method{}", i);
        record.tunables = "tile=256";
        record.block = Dim3{16, 16, 1};
        record.shape.h = record.shape.w = 4;
        record.shape.r = record.shape.s = 3;
        record.status = Status::passed;
        if (i < 2)
            record.status_reason = "its products are a library's";
        else
            add_counts(record,
                       {.multiplications = 123456789, .instructions = 4000000000, .requests = 20, .sectors = 9});
    }
    const std::string table = table_of(records);
    std::istringstream lines(table);
    std::set<std::string> found;
    for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(line.size(), 80U) << line;
        for (const Record& record : records)
            if (line.starts_with("method ") && line.find(record.method + " [16x16x1]") != std::string::npos)
                found.insert(record.method);
    }
    EXPECT_EQ(found.size(), records.size()) << table;
    expect_contains(table, "  method0, method1: its products are a library's\n");
}

TEST(Table, a_row_of_a_csv_does_not_say_that_it_is_counted) {
    Record read;
    read.device = "sim";
    read.status = Status::passed;
    read.status_reason = std::string(counted_reason) + "; example data";
    const std::string table = table_of({read});
    EXPECT_EQ(table.find("verified and counted"), std::string::npos) << table;
    expect_contains(table, "read from a CSV, which holds no counts");
}

TEST(Table, columns_line_up_and_failures_say_why) {
    Record right, wrong;
    right.method = "a_method_with_a_long_name";
    right.time_median_us = 4.2;
    right.noise_pct = 0.1;
    right.dtype = "fp32";
    right.speedup_vs_vendor = 2;
    right.speedup_interval = {1.5, 2.5};
    right.status = Status::passed;
    wrong.method = "ecr1";
    wrong.block = Dim3{2000, 1, 1};
    wrong.status = Status::invalid_config;
    wrong.status_reason = "2000 threads are too many";
    const std::string table = table_of({right, wrong});
    std::vector<std::string> lines;
    for (std::size_t begin = 0, end; (end = table.find('\n', begin)) != std::string::npos; begin = end + 1)
        lines.push_back(table.substr(begin, end - begin));
    ASSERT_EQ(lines.size(), 4U);
    EXPECT_EQ(lines[1].find("passed"), lines[2].find("invalid_config"));
    EXPECT_EQ(lines[0].find("status"), lines[1].find("passed"));
    expect_contains(lines[1], "2.00x FP32 (1.50-2.50)");
    expect_contains(lines[2], "ecr1 [2000x1x1]");
    EXPECT_EQ(lines[3], "  2000 threads are too many");
}

TEST(Table, methods_that_nobody_named_and_that_do_not_take_the_layer_are_a_line) {
    Record right, one, two;
    right.method = "im2col";
    right.status = Status::passed;
    one.method = "ecr1";
    two.method = "a_method_with_a_long_name";
    one.status = two.status = Status::not_supported;
    one.status_reason = "takes one map";
    const std::string table = table_of({right, one, two}, Unsupported::by_name);
    EXPECT_TRUE(
        table.ends_with("passed\nnot for this layer: ecr1, a_method_with_a_long_name (--methods ID says why)\n"))
        << table;
    EXPECT_EQ(table.find("takes one map"), std::string::npos);
    expect_contains(table_of({right, one, two}), "takes one map");
}

TEST(Table, a_time_without_an_interval_says_why) {
    Record slow;
    slow.method = "im2col";
    slow.time_median_us = 16000;
    slow.status_reason = "timeout 5 s";
    expect_contains(table_of({slow}), "\n  timeout 5 s");
    slow.noise_pct = 1;
    EXPECT_EQ(table_of({slow}).find("timeout"), std::string::npos) << table_of({slow});
}

TEST(Table, a_librarys_workspace_stands_apart) {
    Record own, both;
    own.workspace_bytes = 1'806'336;
    own.library_workspace_bytes = 0;
    both = own;
    both.library_workspace_bytes = 33'554'432;
    const std::string table = table_of({own, both});
    expect_contains(table, "1.8 MB  ");
    expect_contains(table, "1.8 MB + 33.6 MB library");
}

}  // namespace
}  // namespace convscope::cli
