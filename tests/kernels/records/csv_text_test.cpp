#include "kernels/records/csv_text.h"

#include <gtest/gtest.h>

#include "tests/kernels/files/temp_folder.h"

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

TEST(CsvText, a_quoted_cell_ends_at_a_comma_or_a_line_end_of_either_kind) {
    const auto lines = parse_csv("\"a\"\r\n\"b\"\n\"c\",\"d\"\r");
    ASSERT_EQ(lines.size(), 3U);
    EXPECT_EQ(lines[0].cells, (std::vector<std::string>{"a"}));
    EXPECT_EQ(lines[1].cells, (std::vector<std::string>{"b"}));
    EXPECT_EQ(lines[2].cells, (std::vector<std::string>{"c", "d"}));
    EXPECT_TRUE(lines[1].complete);
    EXPECT_FALSE(lines[2].complete) << "the half of a line end";
    EXPECT_TRUE(parse_csv("\"a\"b,c\n")[0].cells.empty()) << "what follows a quote must end the cell";
}

TEST(CsvText, is_of_lines_in_utf_8) {
    const auto rejection = [](std::string_view text) {
        return error_of(ErrorKind::file, [&] { require_csv_text("a.csv", text); });
    };
    for (const char* mark : {"\xFF\xFE", "\xFE\xFF"}) expect_contains(rejection(mark), "is UTF-16");
    expect_contains(rejection(std::string("\x7f"
                                          "ELF\r\0b",
                                          7)),
                    "is not text");
    expect_contains(rejection("a\rb"), "has lines that end in CR alone");
    EXPECT_NO_THROW(require_csv_text("a.csv", "a\r"));
    EXPECT_NO_THROW(require_csv_text("a.csv", "a\r\nb"));
    EXPECT_NO_THROW(require_csv_text("a.csv", ""));
}

}  // namespace
}  // namespace convscope
