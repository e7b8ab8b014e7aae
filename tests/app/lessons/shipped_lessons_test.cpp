// The lessons in presets/lessons and what docs/lessons.md says of the format.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "app/lessons/check.h"
#include "app/lessons/names.h"
#include "kernels/core/registry.h"

namespace convscope::lessons {
namespace {

std::string text_of(const std::filesystem::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

std::string complaints(const ReadLesson& read) {
    std::string all;
    for (const Problem& problem : read.problems) all += std::to_string(problem.line) + ": " + problem.sentence + "\n";
    return all;
}

TEST(ShippedLessons, have_answers_on_their_own_examples) {
    const auto registry = make_registry();
    int lessons = 0;
    for (const auto& entry : std::filesystem::directory_iterator(SHIPPED_LESSONS)) {
        const CheckedLesson checked = check_lesson(entry.path(), *registry);
        EXPECT_EQ(complaints(checked.read), "") << entry.path();
        int finals = 0;
        for (const Step& step : checked.read.lesson.steps)
            for (const Block& block : step.blocks) {
                const Ask* ask = std::get_if<Ask>(&block);
                finals += ask && ask->final;
                if (ask) {
                    EXPECT_FALSE(ask->hint.empty()) << entry.path() << ":" << ask->line;
                    EXPECT_TRUE(!ask->wrong.empty() || !ask->right.empty()) << entry.path() << ":" << ask->line;
                }
            }
        EXPECT_GE(finals, 3) << entry.path() << " has a check at its end";
        ++lessons;
    }
    EXPECT_GE(lessons, 12);
}

TEST(LessonsGuide, names_everything_that_expressions_may_use) {
    const std::string guide = text_of(LESSONS_GUIDE);
    for (const Name& name : names())
        EXPECT_NE(guide.find("| `" + std::string(name.name) + "` | " + name.group + " | " + name.meaning + " |"),
                  std::string::npos)
            << name.name;
    for (const Function& function : functions()) {
        const std::size_t at = guide.find("| `" + std::string(function.name) + "(");
        ASSERT_NE(at, std::string::npos) << function.name;
        EXPECT_NE(guide.substr(at, guide.find('\n', at) - at).find(function.meaning), std::string::npos)
            << function.name;
    }
}

TEST(LessonsGuide, has_a_worked_example_that_reads) {
    const std::string guide = text_of(LESSONS_GUIDE);
    const std::string open = "````markdown\n";
    const std::size_t from = guide.find(open) + open.size(), to = guide.find("\n````\n", from);
    ASSERT_LT(to, guide.size());
    const auto registry = make_registry();
    const ReadLesson read = read_lesson("example.md", guide.substr(from, to - from), *registry);
    EXPECT_EQ(complaints(read), "");
    EXPECT_EQ(read.lesson.steps.size(), 2U);
}

}  // namespace
}  // namespace convscope::lessons
