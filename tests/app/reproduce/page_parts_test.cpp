#include "app/reproduce/page_parts.h"

#include <gtest/gtest.h>

namespace convscope::reproduce {
namespace {

TEST(PageParts, are_tables_and_templates_without_empty_paragraphs) {
    const std::string rows = markdown_rows({{"a", "1"}, {"b|c", ""}});
    EXPECT_EQ(rows, "| a | 1 |\n| b\\|c |  |\n");
    EXPECT_EQ(markdown_table({"x", "y"}, {{"1", "2"}}), "| x | y |\n| --- | --- |\n| 1 | 2 |\n\n");
    const auto section = [&](const std::string& zeros) {
        const std::string text = filled(
            "pays_part", {{"title", "T"}, {"cache", "hot"}, {"zeros", zeros}, {"points", "layer"}, {"rows", rows}});
        EXPECT_TRUE(text.ends_with("| --- |\n" + rows + "\n")) << text;
        return text.substr(0, text.find(" |"));
    };
    EXPECT_EQ(section("Zeros: as {given}."), "## T, cache hot\n\nZeros: as {given}.\n\n| layer");
    EXPECT_EQ(section(""), "## T, cache hot\n\n| layer");
}

}  // namespace
}  // namespace convscope::reproduce
