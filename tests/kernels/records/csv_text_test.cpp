#include "kernels/records/csv_text.h"

#include <gtest/gtest.h>

namespace convscope {
namespace {

TEST(CsvText, quotes_only_what_needs_it) {
    EXPECT_EQ(csv_quote("plain text"), "plain text");
    EXPECT_EQ(csv_quote("a,b"), "\"a,b\"");
    EXPECT_EQ(csv_quote("say \"x\""), "\"say \"\"x\"\"\"");
    EXPECT_EQ(csv_quote("two\nlines"), "\"two\nlines\"");
}

TEST(CsvText, parses_both_line_ends_and_torn_lines) {
    const auto lines = parse_csv("a,b\r\nc,\"d\ne\"\n\n1,\"torn");
    ASSERT_EQ(lines.size(), 3U);
    EXPECT_EQ(lines[1].cells[1], "d\ne");
    EXPECT_EQ(lines[1].line, 2U);
    EXPECT_EQ(lines[2].line, 5U) << "a line break within quotes counts";
    EXPECT_TRUE(lines[1].complete);
    EXPECT_FALSE(lines[2].complete);
}

}  // namespace
}  // namespace convscope
