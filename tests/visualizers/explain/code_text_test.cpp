#include "visualizers/explain/code_text.h"

#include <gtest/gtest.h>

#include <string>

namespace convscope {
namespace {

std::vector<std::string> parts(std::string_view line, CodeKind kind) {
    std::vector<std::string> found;
    for (const CodeSpan& span : spans_of(line))
        if (span.kind == kind) found.emplace_back(line.substr(span.first, span.count));
    return found;
}

TEST(CodeText, knows_comments_and_keywords) {
    const std::string_view line = "for (int i = 0;) interior[i] = x; // for int";
    EXPECT_EQ(parts(line, CodeKind::keyword), (std::vector<std::string>{"for", "int"}));
    EXPECT_EQ(parts(line, CodeKind::comment), (std::vector<std::string>{"// for int"}));
    std::size_t next = 0;  // nothing of the line is left out
    for (const CodeSpan& span : spans_of(line)) {
        EXPECT_EQ(span.first, next);
        next += span.count;
    }
    EXPECT_EQ(next, line.size());
}

TEST(CodeText, splits_lines_and_keeps_empty_ones) {
    EXPECT_EQ(lines_of("a\n\nb\n"), (std::vector<std::string_view>{"a", "", "b"}));
    EXPECT_TRUE(lines_of("").empty());
}

TEST(CodeText, breaks_long_lines_between_words_and_indents_the_rest) {
    const std::string line = "    " + std::string(40, 'a') + " " + std::string(40, 'b');
    EXPECT_EQ(wrap_code({line}, 80), (std::vector<CodeRow>{{0, 4, 40, 4}, {0, 45, 40, 8}}));
    // In a narrow view the indentation is halved.
    EXPECT_EQ(wrap_code({line}, 50), (std::vector<CodeRow>{{0, 4, 40, 2}, {0, 45, 40, 6}}));
}

TEST(CodeText, breaks_a_word_that_no_row_holds_and_ends_on_any_width) {
    const std::string line(100, 'a');
    for (std::size_t columns : {0, 1, 16, 17, 99, 100, 200}) {
        std::size_t shown = 0;
        for (const CodeRow& row : wrap_code({line}, columns)) {
            EXPECT_LE(row.indent + row.count, std::max<std::size_t>(16, columns));
            shown += row.count;
        }
        EXPECT_EQ(shown, line.size()) << columns;
    }
    EXPECT_EQ(wrap_code({"", "x"}, 80), (std::vector<CodeRow>{{0, 0, 0, 0}, {1, 0, 1, 0}}));
}

}  // namespace
}  // namespace convscope
