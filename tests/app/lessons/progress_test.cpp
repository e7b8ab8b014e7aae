// What a learner has done is on disk, whatever happens to the file.
#include "app/lessons/progress.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "kernels/core/error.h"

namespace convscope::lessons {
namespace {

class LessonProgressFile : public ::testing::Test {
protected:
    void TearDown() override { std::filesystem::remove_all(folder_); }
    void write(const std::string& text) {
        std::filesystem::create_directories(folder_);
        std::ofstream(file_) << text;
    }
    std::filesystem::path folder_ =
        std::filesystem::path(::testing::TempDir()) / ("convscope_progress_" + std::to_string(::getpid()));
    std::filesystem::path file_ = folder_ / "lessons.toml";
};

TEST_F(LessonProgressFile, comes_back_as_it_was_written) {
    ProgressBook book;
    book["01-zeros"] = {3, true, {{"How \"many\"?", {"81", true, false, "Yes: **81**."}}}, {"Do it"}, {"And then?"}};
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
    progress.answers["How many?"].first_right = true;
    progress.finished = true;
    EXPECT_EQ(describe(progress, lesson), "finished, check 1 of 1");
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
}

TEST_F(LessonProgressFile, that_cannot_be_written_is_an_error_in_one_sentence) {
    ProgressBook book;
    book["x"].step = 1;
    EXPECT_THROW(save_progress("/proc/convscope/lessons.toml", book), Error);
}

}  // namespace
}  // namespace convscope::lessons
