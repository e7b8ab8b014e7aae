// The complaints that the author of a lesson gets.
#include "app/lessons/check_lesson.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "kernels/layers/preset.h"
#include "tests/kernels/files/temp_folder.h"
#include "tests/support/registries.h"

namespace convscope::lessons {
namespace {

using testing::registry;

bool says(const Problems& problems, int line, int column, const std::string& words) {
    return std::ranges::any_of(problems, [&](const Problem& each) {
        return each.line == line && each.column == column && each.sentence.find(words) != std::string::npos;
    });
}

bool says(const Problems& problems, int line, const std::string& words) {
    return std::ranges::any_of(problems, [&](const Problem& each) {
        return each.line == line && each.sentence.find(words) != std::string::npos;
    });
}

std::string listed(const Problems& problems) {
    std::string list;
    for (const Problem& each : problems) list += fmt::format("{}:{}: {}\n", each.line, each.column, each.sentence);
    return list;
}

std::string with_step(const std::string& blocks) {
    return "+++\ntitle = \"T\"\nsummary = \"S\"\nminutes = 1\nmoral = \"M\"\n+++\n\n## Step\n\n" + blocks;
}

ReadLesson read(const std::string& blocks) {
    return read_lesson("lesson.md", with_step(blocks), registry());
}

TEST(LessonCheck, a_good_lesson_reads_without_a_word) {
    const CheckedLesson checked = check_lesson(std::filesystem::path(LESSONS) / "small.md", registry());
    EXPECT_TRUE(checked.read.problems.empty()) << listed(checked.read.problems);
    EXPECT_EQ(checked.read.lesson.steps.size(), 4U);
    EXPECT_GT(checked.expressions, 10);
    EXPECT_GT(checked.measured, 0);
}

TEST(LessonCheck, every_mistake_is_named_with_its_line_at_once) {
    const CheckedLesson checked = check_lesson(std::filesystem::path(LESSONS) / "broken.md", registry());
    const Problems& problems = checked.read.problems;
    EXPECT_FALSE(checked.read.good());
    EXPECT_TRUE(says(problems, 1, "no 'summary'")) << listed(problems);
    EXPECT_TRUE(says(problems, 3, "'minutes'"));
    EXPECT_TRUE(says(problems, 4, "unknown key 'colour'"));
    EXPECT_TRUE(says(problems, 6, "before the first step"));
    EXPECT_TRUE(says(problems, 11, "'neded'; did you mean needed?")) << listed(problems);
    EXPECT_TRUE(says(problems, 11, "not a format"));
    EXPECT_TRUE(says(problems, 13, "a table"));
    EXPECT_TRUE(says(problems, 18, "examples/xu-fig4"));
    EXPECT_TRUE(says(problems, 19, "one of layout"));
    EXPECT_TRUE(says(problems, 20, "it must be a whole number from 1 to 2147483648"));
    EXPECT_TRUE(says(problems, 21, "did you mean point?"));
    EXPECT_TRUE(says(problems, 24, "no directive 'aks'"));
    EXPECT_TRUE(says(problems, 30, "write =="));
    EXPECT_TRUE(says(problems, 35, "not valid TOML"));
    EXPECT_TRUE(says(problems, 40, "'Fdata' is not an array"));
}

TEST(LessonCheck, mistakes_have_columns) {
    const CheckedLesson checked = check_lesson(std::filesystem::path(LESSONS) / "broken.md", registry());
    const Problems& problems = checked.read.problems;
    EXPECT_TRUE(says(problems, 3, 11, "'minutes'")) << listed(problems);
    EXPECT_TRUE(says(problems, 4, 1, "unknown key 'colour'"));
    EXPECT_TRUE(says(problems, 11, 15, "'neded'"));
    EXPECT_TRUE(says(problems, 11, 28, "not a format"));
    EXPECT_TRUE(says(problems, 13, 1, "a table"));
    EXPECT_TRUE(says(problems, 18, 10, "examples/xu-fig4"));
    EXPECT_TRUE(says(problems, 30, 10, "write =="));
    EXPECT_TRUE(says(problems, 40, 9, "'Fdata' is not an array"));
}

TEST(LessonCheck, a_table_is_named_wherever_it_stands) {
    const char* table = "| a | b |\n|---|--:|\n|   |   |\n";
    EXPECT_TRUE(says(read(std::string("Text right above:\n  ") + table).problems, 11, 3, "a table"));
    EXPECT_TRUE(says(read(std::string("- in a list\n\n  ") + table).problems, 12, 3, "a table"));
    EXPECT_TRUE(says(read(std::string("{= h} rows\n") + table).problems, 11, 1, "a table"));
    EXPECT_TRUE(read(std::string("```text\n") + table + "```\n").good());
    EXPECT_TRUE(read("One | two, and a line of\n- a list\n").good());
}

TEST(LessonCheck, what_can_be_hidden_is_named) {
    const ReadLesson lesson = read("```show\nhide = [\"L\", \"Fdata\"]\n```\n");
    EXPECT_TRUE(says(lesson.problems, 11, 8, "called 'Fdata'; accepted are x, w, y")) << listed(lesson.problems);
    EXPECT_TRUE(says(lesson.problems, 11, 8, "summary, cards"));
}

TEST(LessonCheck, points_are_expressions) {
    EXPECT_TRUE(read("```show\npoint = \"x[max(h, w) - 1, floor(w / 2)]\"\n```\n").good());
    const ReadLesson lesson = read("```show\npoint = \"x[hh, 1]\"\n```\n");
    EXPECT_TRUE(says(lesson.problems, 11, 9, "no name 'hh'")) << listed(lesson.problems);
}

TEST(LessonCheck, an_own_layer_that_does_not_suit_is_told_why) {
    const TempFolder folder;
    const auto file = folder.write(
        "needs.md",
        "+++\ntitle = \"T\"\nsummary = \"S\"\nminutes = 1\nmoral = \"M\"\n"
        "needs = [[\"r > stride_h\", \"Windows must overlap: a filter of 3 x 3 with stride 1 would do.\"]]\n+++\n\n"
        "## Step\n\n```show\nh = 7\n```\n\n```ask\nquestion = \"?\"\nanswer = \"h\"\n```\n");
    WorkloadSpec own = find_preset("examples/xu-fig4").spec;
    const CheckedLesson suits = check_lesson(file, registry(), own);
    EXPECT_TRUE(suits.read.problems.empty()) << listed(suits.read.problems);
    ASSERT_EQ(suits.values.size(), 1U);
    EXPECT_EQ(suits.values[0].value, 5);  // the lesson's own 'h' changes nothing
    own.shape.stride_h = own.shape.stride_w = 3;
    const CheckedLesson rejected = check_lesson(file, registry(), own);
    EXPECT_TRUE(says(rejected.read.problems, 1, "Windows must overlap"));
    EXPECT_TRUE(rejected.values.empty());
}

TEST(LessonCheck, answers_that_cannot_be_known_are_warned_of) {
    const TempFolder folder;
    const auto warned = [&](const std::string& blocks, const std::string& words) {
        const CheckedLesson checked = check_lesson(folder.write("warned.md", with_step(blocks)), registry());
        EXPECT_TRUE(checked.read.good()) << listed(checked.read.problems);
        const bool found = std::ranges::any_of(checked.read.problems, [&](const Problem& each) {
            return each.warning && each.sentence.find(words) != std::string::npos;
        });
        EXPECT_TRUE(found) << words << "\n" << listed(checked.read.problems);
    };
    warned("```ask\nquestion = \"?\"\nanswer = \"sectors\"\n```\n", "no block is traced");
    warned("```ask\nquestion = \"?\"\noptions = [[\"a\", \"1\"], [\"b\", \"1\"]]\n```\n", "2 of the 2 options");
    warned("```do\ntask = \"?\"\nuntil = \"h == 5\"\nsolve = { h = 6 }\n```\n", "holds already");
    warned("```do\ntask = \"?\"\nuntil = \"h == 7\"\nsolve = { h = 6 }\n```\n", "'solve' does not make");
    warned("```do\ntask = \"?\"\nuntil = \"h == 7\"\n```\n", "no 'solve'");
    warned("```ask\nquestion = \"?\"\nanswer = 'time(\"pecr1\")'\n```\n", "cannot be measured here");
}

TEST(LessonCheck, a_shape_that_cannot_be_is_an_error_of_its_show_block) {
    const TempFolder folder;
    const CheckedLesson checked =
        check_lesson(folder.write("shape.md", with_step("```show\nr = 9\n```\n")), registry());
    EXPECT_TRUE(says(checked.read.problems, 10, "9x3 filter")) << listed(checked.read.problems);
}

TEST(LessonText, names_the_device_of_a_recorded_session) {
    const ReadLesson good = read("Recorded on an {= recorded_device(\"xu2022-scopes\")}, batch {= n}.\n");
    ASSERT_TRUE(good.good()) << listed(good.problems);
    const Text& text = std::get<Text>(good.lesson.steps[0].blocks[0]);
    EXPECT_EQ(text[0].runs[0].text.find("Recorded on an NVIDIA "), 0U) << text[0].runs[0].text;
    EXPECT_TRUE(text[0].runs[1].live);
    const ReadLesson wrong = read("Recorded on an {= recorded_device(\"nothing\")}.\n");
    EXPECT_TRUE(says(wrong.problems, 10, 16, "no recorded session 'nothing'")) << listed(wrong.problems);
}

TEST(LessonText, becomes_paragraphs_lists_and_live_values) {
    const ReadLesson lesson = read(
        "One **bold** and *light* `code` of {= needed / dense | percent}.\n\n- a\n- b {= h}\n\n1. one\n2. two\n\n"
        "### Small heading\n\n```text\nverbatim\n```\n");
    ASSERT_TRUE(lesson.good()) << listed(lesson.problems);
    const Text& text = std::get<Text>(lesson.lesson.steps[0].blocks[0]);
    ASSERT_EQ(text.size(), 7U);
    ASSERT_EQ(text[0].runs.size(), 9U);
    EXPECT_TRUE(text[0].runs[1].strong);
    EXPECT_TRUE(text[0].runs[3].emphasis);
    EXPECT_TRUE(text[0].runs[5].code);
    ASSERT_TRUE(text[0].runs[7].live);
    EXPECT_EQ(text[0].runs[7].live->expression.text(), "needed / dense");
    EXPECT_EQ(text[1].kind, Paragraph::Kind::bullet);
    EXPECT_TRUE(text[2].runs[1].live);
    EXPECT_EQ(text[4].kind, Paragraph::Kind::numbered);
    EXPECT_EQ(text[4].number, 2);
    EXPECT_EQ(text[5].kind, Paragraph::Kind::heading);
    EXPECT_EQ(text[6].kind, Paragraph::Kind::code);
}

TEST(LessonText, has_mathematics_between_dollars_with_live_values_in_it) {
    const ReadLesson lesson =
        read("So $k_w = {= s}$, and\n\n$$\\frac{a}{b} \\cdot \\underset{{= r}}{k_h}$$\n\nfor $5 and $6.\n");
    ASSERT_TRUE(lesson.good()) << listed(lesson.problems);
    const Text& text = std::get<Text>(lesson.lesson.steps[0].blocks[0]);
    ASSERT_EQ(text.size(), 3U);
    ASSERT_TRUE(text[0].runs.at(1).math);
    const MathRun& inside = *text[0].runs[1].math;
    EXPECT_FALSE(inside.display);
    EXPECT_EQ(plain_text(inside.math), "k_w = " + math_mark(0));
    ASSERT_EQ(inside.live.size(), 1U);
    EXPECT_EQ(inside.live[0].expression.text(), "s");
    ASSERT_TRUE(text[1].runs.at(0).math);
    EXPECT_TRUE(text[1].runs[0].math->display);
    EXPECT_EQ(plain_text(text[1].runs[0].math->math), "a/b \u00b7 k_h");
    // Its values are those of its own, from 0 on.
    EXPECT_EQ(text[1].runs[0].math->live.at(0).expression.text(), "r");
    EXPECT_EQ(text[2].runs.at(0).text, "for $5 and $6.");
}

TEST(LessonText, mathematics_that_does_not_read_is_shown_as_written_and_named) {
    const ReadLesson lesson = read("It is $\\sqrt{2}$ of {= h}, and $\\frac{1$ too.\n");
    EXPECT_TRUE(lesson.good()) << "a lesson opens all the same";
    EXPECT_TRUE(says(lesson.problems, 10, 8, "\\sqrt is not known")) << listed(lesson.problems);
    const Text& text = std::get<Text>(lesson.lesson.steps[0].blocks[0]);
    std::string words;
    for (const lessons::Run& run : text[0].runs) {
        EXPECT_FALSE(run.math);
        words += run.live ? "?" : run.text;
    }
    EXPECT_EQ(words, "It is $\\sqrt{2}$ of ?, and $\\frac{1$ too.");
}

TEST(LessonText, two_questions_of_the_same_words_are_remembered_apart) {
    const std::string ask = "```ask\nquestion = \"How many?\"\nanswer = \"dense\"\n```\n\n";
    const ReadLesson lesson = read(ask + ask);
    ASSERT_TRUE(lesson.good());
    EXPECT_NE(std::get<Ask>(lesson.lesson.steps[0].blocks[0]).key, std::get<Ask>(lesson.lesson.steps[0].blocks[1]).key);
}

TEST(LessonCheck, a_format_asks_for_no_more_digits_than_a_line_has) {
    for (const char* format : {"1000000000", ".1000000000f", "1000000000.0f", ".f", ">9", ".0", "{}"})
        EXPECT_TRUE(says(read(fmt::format("{{= h | {} }}\n", format)).problems, 10, "not a format")) << format;
    EXPECT_TRUE(read("{= h | .2f} and {= h | .12f}\n").good());
}

TEST(LessonCheck, a_mark_of_utf_8_is_no_text) {
    EXPECT_TRUE(read_lesson("lesson.md", "\xEF\xBB\xBF" + with_step("Text.\n"), registry()).good());
}

TEST(LessonCheck, sizes_beyond_counting_are_rejected_before_anything_is_counted) {
    const TempFolder folder;
    const auto file =
        folder.write("a.md", with_step("```show\nn = 9223372036854775807\nh = 9223372036854775807\n```\n"));
    const CheckedLesson checked = check_lesson(file, registry());
    EXPECT_TRUE(
        says(checked.read.problems, 11, "'n' is 9223372036854775807; it must be a whole number from 1 to 2147483648"))
        << listed(checked.read.problems);
}

}  // namespace
}  // namespace convscope::lessons
