// Placeholders in text become the numbers that records give, and nothing else does.
#include "kernels/reproduce/fill_in.h"

#include <gtest/gtest.h>

#include "tests/kernels/files/temp_folder.h"

namespace convscope {
namespace {

PaperFigure figure_of_two() {
    PaperFigure figure;
    figure.name = std::string("f");
    figure.points.resize(2);
    figure.points[0].label = std::string("a");
    figure.points[1].label = std::string("b");
    figure.timings = {{TimingScope::setup, CacheMode::hot}, {TimingScope::kernel, CacheMode::cold}};
    figure.series = {{"S", FigureValue::speedup, {"ours"}, {"cudnn"}}};
    return figure;
}

PointRecords records(const FigureTiming& timing) {
    Record ours, theirs;
    ours.method = "ours";
    theirs.method = "cudnn";
    ours.time_median_us = 1;
    theirs.time_median_us = timing.cache == CacheMode::cold ? 2 : 4;
    Record slow = theirs;
    slow.time_median_us = 8;
    return {{ours, theirs}, {ours, slow}};
}

std::string filled(const std::string& text) {
    const PaperFigure figure = figure_of_two();
    return fill_in(text,
                   [&](const std::vector<std::string>& parts) { return placeholder_value(parts, figure, records); });
}

TEST(FillIn, takes_summaries_and_single_points) {
    EXPECT_EQ(filled("no placeholder"), "no placeholder");
    EXPECT_EQ(filled("{S|setup|smallest} to {S|setup|largest}."), "4.00x to 8.00x.");
    EXPECT_EQ(filled("{S|kernel cold|at a}{S|kernel cold|at b}"), "2.00x8.00x");
}

TEST(FillIn, says_where_nothing_was_measured) {
    const PaperFigure figure = figure_of_two();
    const auto nothing = [](const FigureTiming&) { return PointRecords{}; };
    EXPECT_EQ(placeholder_value({"S", "setup", "mean"}, figure, nothing), "(not measured)");
}

TEST(FillIn, rejects_what_the_figure_does_not_have) {
    const auto rejected = [](const std::string& text) { return error_of(ErrorKind::file, [&] { filled(text); }); };
    expect_contains(rejected("{T|setup|mean}"), "f: the placeholder {T|setup|mean} names no series");
    expect_contains(rejected("{S|kernel|mean}"), "names no scope of the figure");
    expect_contains(rejected("{S|setup|at c}"), "names no point of the figure");
    expect_contains(rejected("{S|setup|most}"), "has no summary");
    expect_contains(rejected("{S|setup}"), "must be {SERIES|TIMING|TAKE}");
    expect_contains(rejected("x {S|setup"), "a brace is not closed");
}

}  // namespace
}  // namespace convscope
