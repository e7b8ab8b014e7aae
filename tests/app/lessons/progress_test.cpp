// A learner's progress is on disk, whatever happens to the file.
#include "app/lessons/progress.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "kernels/core/error.h"
#include "tests/kernels/files/temp_folder.h"

namespace convscope::lessons {
namespace {

class LessonProgressFile : public ::testing::Test {
protected:
    void write(const std::string& text) {
        std::filesystem::create_directories(folder_);
        std::ofstream(file_) << text;
    }
    const TempFolder own_;
    const std::filesystem::path folder_ = own_ / "state";
    const std::filesystem::path file_ = folder_ / "lessons.toml";
};

TEST_F(LessonProgressFile, comes_back_as_it_was_written) {
    ProgressBook book;
    book["01-zeros"] = {3,
                        true,
                        {{"How \"many\"?", {"81", true, false, "Yes: **81**.", false, "How `many`?"}}},
                        {"Do it"},
                        {"And then?"}};
    book["02-none"] = {};
    save_progress(file_, book);
    const LoadedProgress loaded = load_progress(file_);
    EXPECT_TRUE(loaded.notices.empty());
    EXPECT_EQ(loaded.book.size(), 1U);  // nothing was done in the other
    EXPECT_EQ(loaded.book.at("01-zeros"), book["01-zeros"]);
}

TEST(LessonProgress, says_how_far_one_has_come) {
    Lesson lesson;
    Ask asked;
    asked.key = "How many?";
    asked.final = true;
    lesson.steps = {{}, {1, "Check", {asked}}};
    LessonProgress progress;
    EXPECT_EQ(describe(progress, lesson), "not begun");
    progress.step = 1;
    EXPECT_EQ(describe(progress, lesson), "step 2 of 2");
    progress.step = 2;
    EXPECT_EQ(describe(progress, lesson), "1 left open");
    EXPECT_FLOAT_EQ(share_done(progress, lesson), 0.5F) << "the end is reached, and a question is open";
    progress.answers["How many?"].first_right = true;
    progress.finished = true;
    EXPECT_EQ(describe(progress, lesson), "finished, check 1 of 1");
    EXPECT_FLOAT_EQ(share_done(progress, lesson), 1);
}

TEST(LessonProgress, tells_what_was_found_in_the_order_of_the_lesson) {
    Lesson lesson;
    Ask number, choice, open;
    number.key = "How many?";
    number.answer.emplace();
    number.unit = "%";
    choice.key = "Which?";
    open.key = "And then?";
    Task done, undone;
    done.key = "Do it";
    undone.key = "Do more";
    lesson.steps = {{1, "Zeros", {choice, done}}, {2, "Windows", {open, number, undone}}};
    LessonProgress progress;
    EXPECT_TRUE(lesson_findings(progress, lesson).empty());
    progress.answers = {{"How many?", {"81", false, false, "It is **64**.", false, "How many of 9?"}},
                        {"Which?", {"larger", true, true, "", true}},
                        {"Of an older lesson?", {"1", true, true, ""}}};
    progress.tasks = {"Do it", "Of an older lesson"};
    const std::vector<LessonFinding> expected{{"Zeros", "", "'larger'", true, true, ""},
                                              {"Windows", "How many of 9?", "81 %", false, false, "It is **64**."}};
    EXPECT_EQ(lesson_findings(progress, lesson), expected);
    EXPECT_EQ(tasks_done(progress, lesson), std::pair(1, 2));
}

TEST(LessonProgress, is_of_the_checks_alone) {
    Lesson lesson;
    Ask open, check;
    check.key = "How many?";
    check.final = true;
    lesson.steps = {{1, "Step", {Text{}, open}}};
    LessonProgress progress;
    progress.finished = true;
    EXPECT_EQ(describe(progress, lesson), "finished") << "nothing was checked";
    lesson.steps.push_back({2, "Check", {check}});
    EXPECT_EQ(describe(progress, lesson), "finished, check 0 of 1");
    progress.answers["How many?"].right = true;
    EXPECT_EQ(describe(progress, lesson), "finished, check 0 of 1") << "not at first";
}

TEST_F(LessonProgressFile, is_in_the_users_folder_of_states) {
    setenv("XDG_STATE_HOME", folder_.c_str(), 1);
    EXPECT_EQ(progress_file(), folder_ / "convscope" / "lessons.toml");
    unsetenv("XDG_STATE_HOME");
    const std::string home = std::getenv("HOME") ? std::getenv("HOME") : "/";
    unsetenv("HOME");
    EXPECT_EQ(progress_file(), "") << "nowhere to keep it";
    setenv("HOME", home.c_str(), 1);
    EXPECT_EQ(progress_file(), std::filesystem::path(home) / ".local/state/convscope/lessons.toml");
    EXPECT_NO_THROW(save_progress("", {}));
    EXPECT_TRUE(load_progress("").book.empty());
}

TEST_F(LessonProgressFile, that_is_a_folder_is_said) {
    std::filesystem::create_directories(file_);
    const LoadedProgress loaded = load_progress(file_);
    ASSERT_EQ(loaded.notices.size(), 1U);
    EXPECT_NE(loaded.notices[0].find("Is a directory"), std::string::npos) << loaded.notices[0];
}

TEST_F(LessonProgressFile, that_is_broken_is_read_as_far_as_whole_lessons) {
    const auto read = [this](const std::string& text) {
        write(text);
        return load_progress(file_).book;
    };
    EXPECT_TRUE(read("[first\nstep = 2\n").empty());
    const std::string first = "[first]\nstep = 2\n[[first.answers]]\nquestion = \"?\"\n";
    for (const char* torn : {"[second]\nstep = ", "[second]\ntasks = [1,\n", "[[second.answers]]\nquestion = \n"}) {
        const ProgressBook book = read("[zeroth]\nstep = 1\n\n" + first + torn);
        EXPECT_EQ(book.at("zeroth").step, 1) << torn;
        EXPECT_EQ(book.contains("first"), torn[1] != '[') << torn;
    }
}

TEST_F(LessonProgressFile, that_is_missing_is_an_empty_book) {
    EXPECT_TRUE(load_progress(file_).book.empty());
    EXPECT_TRUE(load_progress(file_).notices.empty());
}

TEST_F(LessonProgressFile, that_is_anothers_is_read_and_nothing_is_written_beside_it) {
    write("[first]\nstep = 2\n\n[second]\nstep = = 3\n");
    const LoadedProgress loaded = load_progress(file_, false);
    ASSERT_EQ(loaded.notices.size(), 1U);
    EXPECT_EQ(loaded.notices[0].find("broken"), std::string::npos) << loaded.notices[0];
    EXPECT_EQ(loaded.book.at("first").step, 2);
    EXPECT_FALSE(std::filesystem::exists(file_.string() + ".broken"));
}

TEST_F(LessonProgressFile, that_is_broken_is_named_and_kept_and_the_rest_works) {
    write("[first]\nstep = 2\n\n[second]\nstep = = 3\n");
    const LoadedProgress loaded = load_progress(file_);
    ASSERT_EQ(loaded.notices.size(), 1U);
    EXPECT_NE(loaded.notices[0].find("lessons.toml:5:"), std::string::npos) << loaded.notices[0];
    EXPECT_TRUE(std::filesystem::exists(file_.string() + ".broken"));
    ASSERT_TRUE(loaded.book.contains("first"));
    EXPECT_EQ(loaded.book.at("first").step, 2);
}

TEST_F(LessonProgressFile, with_values_of_other_types_costs_these_alone) {
    write(
        "[first]\nstep = \"two\"\nfinished = true\ntasks = [1, \"x\"]\n[[first.answers]]\nanswer = \"no question\"\n");
    const LoadedProgress loaded = load_progress(file_);
    EXPECT_TRUE(loaded.book.at("first").finished);
    EXPECT_EQ(loaded.book.at("first").tasks.size(), 1U);
    EXPECT_EQ(loaded.notices.size(), 1U);
    write("first = 3\nsecond = 4\n[third]\nstep = 2\nanswers = [5]\n");
    const LoadedProgress others = load_progress(file_);
    EXPECT_EQ(others.book.size(), 1U);
    EXPECT_TRUE(others.book.at("third").answers.empty());
    ASSERT_EQ(others.notices.size(), 1U) << "the first alone";
    EXPECT_NE(others.notices[0].find(":1:9: 'first' must be a table"), std::string::npos) << others.notices[0];
}

TEST_F(LessonProgressFile, that_cannot_be_written_is_an_error_in_one_sentence) {
    ProgressBook book;
    book["x"].step = 1;
    EXPECT_THROW(save_progress("/proc/convscope/lessons.toml", book), Error);
}

}  // namespace
}  // namespace convscope::lessons
