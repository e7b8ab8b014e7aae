#include "app/cli/table.h"

#include <gtest/gtest.h>

#include "tests/core/temp_folder.h"

namespace convscope::cli {
namespace {

TEST(Table, TimesHaveThreeDigitsAndAUnit) {
    EXPECT_EQ(time_text(0.5), "0.50 us");
    EXPECT_EQ(time_text(4.215), "4.21 us");
    EXPECT_EQ(time_text(12.34), "12.3 us");
    EXPECT_EQ(time_text(99.97), "100 us");
    EXPECT_EQ(time_text(141.3), "141 us");
    EXPECT_EQ(time_text(3710), "3.71 ms");
    EXPECT_EQ(time_text(2.05e6), "2.05 s");
    EXPECT_EQ(time_text(9.25e8), "925 s");
}

TEST(Table, ColumnsLineUpAndFailuresSayWhy) {
    Record right, wrong;
    right.method = "a_method_with_a_long_name";
    right.time_median_us = 4.2;
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
    expect_contains(lines[1], "2.00x (1.50-2.50)");
    expect_contains(lines[2], "ecr1 [2000x1x1]");
    EXPECT_EQ(lines[3], "  2000 threads are too many");
}

}  // namespace
}  // namespace convscope::cli
