// The errors of the reader of lesson files: missing, of another kind or in the wrong place.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "app/lessons/facts.h"
#include "app/lessons/lesson.h"
#include "app/lessons/show_state.h"
#include "tests/support/registries.h"

namespace convscope::lessons {
namespace {

using testing::registry;

ReadLesson read_whole(const std::string& text) {
    return read_lesson("lesson.md", text, registry());
}

/// Five lines; 'more' begins the fifth.
std::string front(const std::string& more = "") {
    return "+++\ntitle = \"T\"\nsummary = \"S\"\nminutes = 1\nmoral = \"M\"\n" + more + "+++\n";
}

/// The block begins in line 10.
std::string with_block(const std::string& kind, const std::string& keys) {
    return front() + "\n## Step\n\n```" + kind + "\n" + keys + "```\n";
}

void expect_said(const std::string& text, int line, const std::string& words) {
    const Problems problems = read_whole(text).problems;
    std::string all;
    for (const Problem& each : problems) all += fmt::format("{}: {}\n", each.line, each.sentence);
    EXPECT_TRUE(std::ranges::any_of(
        problems,
        [&](const Problem& each) { return each.line == line && each.sentence.find(words) != std::string::npos; }))
        << text << "says\n"
        << all;
}

TEST(ReadLesson, begins_with_its_front_matter) {
    for (const char* text : {"", "Text.\n"}) expect_said(text, 1, "a lesson begins with its front matter");
    expect_said("\n\n", 3, "a lesson begins with its front matter");
    expect_said("+++\ntitle = \"T\"\n", 1, "no second line '+++'");
    expect_said("+++\ntitle = = 1\n+++\n", 2, "this front matter is not valid TOML");
    EXPECT_TRUE(read_whole("\n \n" + front() + "## Step\nText.\n").good()) << "after empty lines";
}

TEST(ReadLesson, has_a_moral) {
    expect_said("+++\ntitle = \"T\"\nsummary = \"S\"\nminutes = 1\n+++\n## Step\nText.\n", 1, "moral");
    expect_said("+++\ntitle = \"T\"\nsummary = \"S\"\nminutes = 1\nmoral = 3\n+++\n## Step\nText.\n", 5, "moral");
    EXPECT_EQ(read_whole(front() + "## Step\nText.\n").lesson.moral, "M");
}

TEST(ReadLesson, has_steps_with_something_in_each) {
    expect_said(front(), 6, "the lesson has no step");
    expect_said(front() + "## First\n## Second\nText.\n", 7, "the step 'First' is empty");
    expect_said(front() + "```ask\nquestion = \"?\"\nanswer = \"1\"\n```\n", 7,
                "this ask block stands before the first");
    const ReadLesson broken = read_whole(with_block("ask", "question = 3\n"));
    ASSERT_FALSE(broken.good());
    for (const Problem& each : broken.problems) EXPECT_EQ(each.sentence.find("is empty"), std::string::npos);
}

TEST(ReadLesson, has_fences_with_an_end_and_lines_with_any) {
    expect_said(front() + "## Step\n```\ncode\n", 8, "this fence ``` has no end");
    EXPECT_TRUE(read_whole(front() + "## Step\n```\ncode\n```\n").good());
    std::string text = with_block("ask", "question = \"?\"\nanswer = \"1\"\n");
    for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 4) text.insert(at, " \t\r");
    EXPECT_TRUE(read_whole(text).good()) << "blanks and the line ends of Windows";
}

TEST(ReadLesson, takes_pairs_of_texts_and_expressions) {
    const std::string good = "[\"h > 1\", \"w\"]";
    const auto list = [&](int count) {
        std::string text = "[";
        for (int i = 0; i < count; ++i) text += good + ", ";
        return text + "]";
    };
    EXPECT_TRUE(read_whole(front("needs = " + list(8) + "\n") + "## Step\nText.\n").good());
    for (const std::string& needs : {std::string("3"), list(9), std::string("[3]"), "[" + good + ", [\"h > 1\"]]",
                                     std::string("[[1, \"w\"]]"), std::string("[[\"h > 1\", 2]]")})
        expect_said(front("needs = " + needs + "\n"), 6, "it must be a list of [\"condition\"");
    expect_said(front("needs = [[\"neded\", \"w\"]]\n"), 6, "no name 'neded'");
    for (const char* options : {"3", "[]", "[[\"a\", \"1\"]]", "[[\"a\", \"1\"], 2]", "[[\"a\", \"1\"], [\"b\"]]",
                                "[[\"a\", \"1\"], [2, \"1\"]]", "[[\"a\", \"1\"], [\"b\", 2]]"})
        expect_said(with_block("ask", fmt::format("question = \"?\"\noptions = {}\n", options)), 12,
                    "it must be a list of [\"label\", \"condition\"]");
    expect_said(with_block("ask", "question = \"?\"\noptions = [[\"a\", \"1\"], [\"b\", \"neded\"]]\n"), 12, "'neded'");
}

TEST(ReadLesson, has_names_that_stand_for_expressions) {
    for (const char* name : {"Big", "2a", "\"~\"", "\"\"", "a-b", "\"a~\"", "aB"})
        expect_said(front(fmt::format("[let]\n{} = \"1\"\n", name)), 7, "a name has small letters, digits and _");
    expect_said(front("[let]\nh = \"1\"\n"), 7, "expressions have this name already");
    expect_said(front("[let]\na = 3\n"), 7, "it must be an expression in quotes");
    expect_said(front("[let]\na = \"a + 1\"\n"), 7, "there is no name 'a'");
    EXPECT_TRUE(read_whole(front("[let]\n_a2 = \"h\"\n") + "## Step\n{= _a2}\n").good());
}

TEST(ReadLesson, asks_for_one_kind_of_answer_and_sets_tasks_with_an_end) {
    constexpr const char* either = "needs either 'answer', an expression, or 'options', a list";
    expect_said(with_block("ask", "question = \"?\"\n"), 10, either);
    expect_said(with_block("ask", "question = \"?\"\nanswer = \"1\"\noptions = [[\"a\", \"1\"], [\"b\", \"0\"]]\n"), 10,
                either);
    expect_said(with_block("do", "task = \"?\"\n"), 10, "this do block has no 'until'");
}

TEST(ReadLesson, with_a_method_that_only_a_gpu_may_have_opens_where_there_is_none) {
    const ReadLesson lesson = read_whole(with_block("do", "task = \"?\"\nuntil = 'time(\"of_tomorrow\") < 5'\n"));
    EXPECT_EQ(lesson.good(), registry().methods(DeviceKind::cuda).empty());
    ASSERT_EQ(lesson.problems.size(), 1U);
    EXPECT_NE(lesson.problems[0].sentence.find("there is no method 'of_tomorrow'"), std::string::npos);
}

TEST(ReadLesson, remembers_every_question_apart) {
    const std::string ask = "```ask\nquestion = \"Q?\"\nanswer = \"1\"\n```\n";
    const ReadLesson lesson = read_whole(front() + "## Step\n" + ask + ask + ask);
    std::vector<std::string> keys;
    for (const Block& block : lesson.lesson.steps.at(0).blocks) keys.push_back(std::get<Ask>(block).key);
    EXPECT_EQ(keys, (std::vector<std::string>{"Q?", "Step: Q?", "Step: Q? (2)"}));
}

TEST(ReadLesson, may_be_for_its_own_layer_alone) {
    expect_said(front("own_layer = false\n"), 1, "no 'own_layer_why'");
    const ReadLesson lesson =
        read_whole(front("own_layer = false\nown_layer_why = \"It has steps.\"\n") + "## Step\nText.\n");
    ASSERT_TRUE(lesson.good());
    ShowState state(registry());
    std::string problem;
    EXPECT_EQ(unsuited(lesson.lesson, state.facts(problem)), "It has steps.");
}

TEST(ReadLesson, takes_an_answer_with_a_full_stop_for_a_sentence_and_two_numbers_for_a_list) {
    const std::string keys = "question = \"Q?\"\nanswer = \"1\"\n";
    const auto right = [&](const std::string& text) {
        const ReadLesson lesson = read_whole(with_block("ask", keys + "right = \"" + text + "\"\n"));
        return std::get<Ask>(lesson.lesson.steps.at(0).blocks.at(0)).right;
    };
    for (const std::string text :
         {"32. Two rows begin apart.", "32) Two rows begin apart.", "32. Two rows.\\nNo more."}) {
        const Text read = right(text);
        ASSERT_EQ(read.size(), 1U) << text;
        EXPECT_EQ(read[0].kind, Paragraph::Kind::plain) << text;
        EXPECT_EQ(read[0].runs.at(0).text.substr(0, 12), text.substr(0, 12));
    }
    EXPECT_EQ(right("3.5 rows.").at(0).runs.at(0).text, "3.5 rows.");
    const Text list = right("1. first\\n2. second");
    ASSERT_EQ(list.size(), 2U);
    EXPECT_EQ(list[1].kind, Paragraph::Kind::numbered);
    EXPECT_EQ(list[1].number, 2);
}

}  // namespace
}  // namespace convscope::lessons
