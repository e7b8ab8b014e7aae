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

std::vector<std::size_t> indents(const std::vector<std::string_view>& lines) {
    std::vector<std::size_t> all;
    for (const CodeIndent& each : dedent(lines)) all.push_back(each.indent);
    return all;
}

TEST(CodeText, a_level_takes_two_columns_whatever_it_takes_in_the_file) {
    EXPECT_EQ(indents({"f() {", "    if (x) {", "        y();", "", "    }", "}"}),
              (std::vector<std::size_t>{0, 2, 4, 0, 2, 0}));
    EXPECT_EQ(indents({"f() {", "  if (x)", "    y();", "}"}), (std::vector<std::size_t>{0, 2, 4, 0}));
    EXPECT_EQ(indents({"f() {", "\tif (x)", "\t\ty();", "}"}), (std::vector<std::size_t>{0, 2, 4, 0}));
    EXPECT_EQ(dedent({"    a();  "}).front(), (CodeIndent{4, 0}));
}

TEST(CodeText, what_all_lines_are_indented_by_goes) {
    EXPECT_EQ(indents({"        f() {", "            x();", "", "        }"}), (std::vector<std::size_t>{0, 2, 0, 0}));
}

TEST(CodeText, a_line_aligned_with_the_one_above_hangs_in_by_four) {
    EXPECT_EQ(indents({"f() {", "    const float value = read(x, 0, shape,", "                             row);",
                       "    g();"}),
              (std::vector<std::size_t>{0, 2, 6, 2}));
}

TEST(CodeText, a_directive_changes_no_level) {
    EXPECT_EQ(indents({"f() {", "    if (x) {", "#ifdef Y", "        y();", "#endif", "        z();"}),
              (std::vector<std::size_t>{0, 2, 0, 4, 0, 4}));
}

TEST(CodeText, finds_the_name_at_a_column_with_its_members) {
    const std::string_view line = "  F_data[first + 2] = threadIdx.x * 0.5f;  // value";
    EXPECT_EQ(name_at(line, 2), "F_data");
    EXPECT_EQ(name_at(line, 7), "F_data");
    EXPECT_EQ(name_at(line, 9), "first");
    EXPECT_EQ(name_at(line, line.find("Idx")), "threadIdx.x");
    EXPECT_EQ(name_at(line, line.find(".x") + 1), "threadIdx.x");
    for (const std::size_t nothing : {line.find('['), line.find("2]"), line.find("0.5f"), line.find(".5f") + 2,
                                      line.find("value"), line.size(), line.size() + 7})
        EXPECT_EQ(name_at(line, nothing), "") << nothing;
}

}  // namespace
}  // namespace convscope
