// The lessons in presets/lessons and what docs/lessons.md says of the format.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <vector>

#include "app/lessons/check_lesson.h"
#include "app/lessons/hideable.h"
#include "app/lessons/names.h"
#include "kernels/formats/sparse_format.h"
#include "kernels/method/registry.h"

namespace convscope::lessons {
namespace {

std::string text_of(const std::filesystem::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

std::string complaints(const ReadLesson& read) {
    std::string all;
    for (const Problem& problem : read.problems)
        all += fmt::format("{}:{}: {}\n", problem.line, problem.column, problem.sentence);
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

TEST(ShippedLessons, have_a_moral_of_one_sentence_that_the_guide_lists) {
    const auto registry = make_registry();
    const std::string guide = text_of(LESSONS_GUIDE);
    for (const auto& entry : std::filesystem::directory_iterator(SHIPPED_LESSONS)) {
        const Lesson lesson = read_lesson(entry.path(), *registry).lesson;
        ASSERT_FALSE(lesson.moral.empty()) << entry.path();
        EXPECT_EQ(lesson.moral.find(". "), std::string::npos) << lesson.moral;
        EXPECT_EQ(lesson.moral.back(), '.') << lesson.moral;
        EXPECT_NE(guide.find(fmt::format("/{}.md) | ", lesson.id)), std::string::npos) << lesson.id;
        EXPECT_NE(guide.find(" | " + lesson.moral + " |\n"), std::string::npos) << lesson.id;
    }
}

TEST(ShippedLessons, are_in_parts_that_follow_each_other) {
    const auto registry = make_registry();
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(SHIPPED_LESSONS)) files.push_back(entry.path());
    std::ranges::sort(files);
    std::vector<std::string> parts;
    for (const auto& file : files) {
        const std::string part = read_lesson(file, *registry).lesson.part;
        EXPECT_FALSE(part.empty()) << file;
        if (parts.empty() || parts.back() != part) parts.push_back(part);
    }
    EXPECT_EQ(std::set<std::string>(parts.begin(), parts.end()).size(), parts.size()) << "no heading stands twice";
}

WorkloadSpec own_layer(const ConvShape& shape) {
    WorkloadSpec spec;
    spec.name = "custom";
    spec.shape = shape;
    spec.sparsity = 0.6;
    return spec;
}

/// One map with a filter, a layer with pooling, a batch, a layer with other padding below than above.
std::vector<WorkloadSpec> own_layers() {
    ConvShape map, pooled, batch;
    map.h = map.w = 9;
    map.r = map.s = 3;
    pooled = map;
    pooled.c = pooled.k = 4;
    pooled.h = pooled.w = 10;
    pooled.pool_h = pooled.pool_w = pooled.pool_stride = 2;
    batch = pooled;
    batch.n = 3;
    batch.pad_h = batch.pad_w = 1;
    batch.pool_h = batch.pool_w = batch.pool_stride = 0;
    ConvShape sided = pooled;  // padding that differs by side
    sided.r = sided.s = 2;
    pad_same(sided);
    return {own_layer(map), own_layer(pooled), own_layer(batch), own_layer(sided)};
}

TEST(ShippedLessons, have_answers_on_own_layers_or_say_why_not) {
    const auto registry = make_registry();
    int lessons = 0;
    for (const auto& entry : std::filesystem::directory_iterator(SHIPPED_LESSONS)) {
        const ReadLesson read = read_lesson(entry.path(), *registry);
        if (!read.lesson.own_layer) {
            EXPECT_GT(read.lesson.own_layer_why.size(), 20U) << entry.path();
            continue;
        }
        ++lessons;
        int suited = 0;
        for (const WorkloadSpec& own : own_layers()) {
            const CheckedLesson checked = check_lesson(entry.path(), *registry, own);
            const bool rejected = checked.values.empty();
            suited += !rejected;
            EXPECT_EQ(checked.read.problems.size(), rejected ? 1U : 0U)
                << entry.path() << " with n = " << own.shape.n << "\n"
                << complaints(checked.read);
        }
        EXPECT_GE(suited, 1) << entry.path();
    }
    EXPECT_GE(lessons, 9);
}

/// Who has done the lesson has met all formats, in the order of the app's list.
TEST(ShippedLessons, meet_every_format_in_the_order_of_the_list) {
    const auto registry = make_registry();
    const std::filesystem::path file = std::filesystem::path(SHIPPED_LESSONS) / "04b-one-matrix-ten-formats.md";
    std::vector<std::string> met;
    for (const Step& step : read_lesson(file, *registry).lesson.steps)
        for (const Block& block : step.blocks)
            if (const Show* show = std::get_if<Show>(&block); show && show->format && !show->format->empty())
                met.push_back(*show->format);
    EXPECT_EQ(met, sparse_format_names());
}

TEST(LessonsGuide, names_what_can_be_hidden) {
    const std::string guide = text_of(LESSONS_GUIDE);
    const std::size_t at = guide.find("| `hide` |");
    ASSERT_NE(at, std::string::npos);
    for (const char* word : {summary_word, cards_word})
        EXPECT_NE(guide.find('"' + std::string(word) + '"', at), std::string::npos) << word;
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
