#include "app/sweep/break_even.h"

#include <gtest/gtest.h>

#include <cmath>

namespace convscope {
namespace {

using Verdict = BreakEven::Verdict;

/// A ratio that grows with the place, certain to a few percent.
auto growing(double crossing, double half_width) {
    return [=](double at) {
        const double ratio = std::exp(2 * (at - crossing));
        return RatioPoint{at, RatioPoint::Ratio{ratio, {ratio / (1 + half_width), ratio * (1 + half_width)}}};
    };
}

TEST(BreakEven, finds_the_threshold_and_how_certain_it_is) {
    const BreakEven found = find_break_even({0, 1, 0.01}, growing(0.613, 0.03));
    EXPECT_EQ(found.verdict, Verdict::faster_above);
    EXPECT_NEAR(*found.threshold, 0.613, 0.01);
    EXPECT_LT(found.interval.first, 0.613);
    EXPECT_GT(found.interval.second, 0.613);
    EXPECT_GT(found.interval.second - found.interval.first, 0.015) << "3 % is about 0.015 on this axis";
    EXPECT_LE(found.points.size(), 10U);
    for (const RatioPoint& point : found.points) {
        EXPECT_TRUE(point.at > found.interval.first || point.slower()) << point.at;
        EXPECT_TRUE(point.at < found.interval.second || point.faster()) << point.at;
    }
}

TEST(BreakEven, finds_where_a_method_falls_behind) {
    const auto rising = growing(40, 0.001);
    const auto falling = [&](double at) { return RatioPoint{at, rising(80 - at).ratio}; };
    const BreakEven found = find_break_even({1, 64, 1, true}, falling);
    EXPECT_EQ(found.verdict, Verdict::faster_below);
    EXPECT_NEAR(*found.threshold, 40, 1);
    for (const RatioPoint& point : found.points) EXPECT_EQ(point.at, std::floor(point.at));
}

TEST(BreakEven, has_no_ratio_without_an_interval) {
    Record method, baseline;
    method.time_median_us = 10;
    baseline.time_median_us = 30;
    const RatioPoint unsure = ratio_point(0.5, method, baseline);
    EXPECT_FALSE(unsure.ratio);
    EXPECT_FALSE(unsure.faster() || unsure.slower());
    method.samples_us.assign(50, 10);
    EXPECT_FALSE(ratio_point(0.5, method, baseline).ratio);
    baseline.samples_us.assign(5, 30);
    EXPECT_FALSE(ratio_point(0.5, method, baseline).ratio) << "too few for an interval";
    baseline.samples_us.assign(50, 30);
    EXPECT_DOUBLE_EQ(ratio_point(0.5, method, baseline).ratio->value, 3);
    EXPECT_TRUE(ratio_point(0.5, method, baseline).faster());
}

TEST(BreakEven, goes_as_far_as_there_are_ratios) {
    const auto all = growing(0.613, 0.001);
    const auto without = [&](double missing) {
        return find_break_even({0, 1, 0.01}, [&](double at) { return at == missing ? RatioPoint{at, {}} : all(at); });
    };
    for (const double end : {0.0, 1.0}) {
        EXPECT_EQ(without(end).verdict, Verdict::undecided) << end;
        EXPECT_FALSE(without(end).threshold);
        EXPECT_EQ(without(end).points.size(), 2U);
    }
    const BreakEven found = without(0.625);
    EXPECT_EQ(found.points.size(), 5U) << "0, 1, 0.5, 0.75 and 0.625";
    EXPECT_NEAR(*found.threshold, 0.613, 1e-9) << "on the line from 0.5 to 0.75";
    EXPECT_EQ(found.interval, std::pair(0.5, 0.75));
}

TEST(BreakEven, says_always_and_never) {
    EXPECT_EQ(find_break_even({0, 1, 0.1}, growing(-1, 0.01)).verdict, Verdict::always_faster);
    EXPECT_EQ(find_break_even({0, 1, 0.1}, growing(2, 0.01)).verdict, Verdict::always_slower);
    const BreakEven undecided = find_break_even({0, 0.1, 0.1}, growing(-0.001, 0.5));
    EXPECT_EQ(undecided.verdict, Verdict::undecided);
    EXPECT_FALSE(undecided.threshold);
    EXPECT_EQ(undecided.points.size(), 2U);
}

TEST(BreakEven, is_certain_on_one_side_where_the_threshold_is_not) {
    const auto rising = growing(0.9, 0.3);  // 30 % is 0.13 on this axis
    const auto falling = [&](double at) { return RatioPoint{at, rising(1 - at).ratio}; };
    const BreakEven overtakes = find_break_even({0, 1, 0.01}, rising), falls = find_break_even({0, 1, 0.01}, falling);
    for (const BreakEven* undecided : {&overtakes, &falls}) EXPECT_EQ(undecided->verdict, Verdict::undecided);
    for (const double at : {0.0, 0.2, 0.7}) {
        EXPECT_EQ(faster_at(overtakes, at), false) << at;
        EXPECT_EQ(faster_at(falls, 1 - at), false) << at;
    }
    for (const double at : {0.88, 0.93, 1.0}) {
        EXPECT_EQ(faster_at(overtakes, at), std::nullopt) << at;
        EXPECT_EQ(faster_at(falls, 1 - at), std::nullopt) << at;
    }
    const BreakEven decided = find_break_even({0, 1, 0.01}, growing(0.613, 0.01));
    EXPECT_EQ(faster_at(decided, 0.4), false);
    EXPECT_EQ(faster_at(decided, 0.613), std::nullopt);
    EXPECT_EQ(faster_at(decided, 0.8), true);
    EXPECT_EQ(faster_at(find_break_even({0, 1, 0.1}, growing(-1, 0.01)), 0.5), true);
    EXPECT_EQ(faster_at(find_break_even({0, 1, 0.1}, growing(2, 0.01)), 0.5), false);
    EXPECT_EQ(faster_at(find_break_even({0, 0.1, 0.1}, growing(-0.001, 0.5)), 0.05), std::nullopt);
    EXPECT_EQ(faster_at(find_break_even({0, 1, 0.1}, [](double at) { return RatioPoint{at, {}}; }), 0.5), std::nullopt);
}

TEST(BreakEven, is_none_where_nothing_is_certain_on_one_side_of_it) {
    for (const double crossing : {0.05, 0.1, 0.9}) {  // 30 % is 0.13 on this axis
        const BreakEven found = find_break_even({0, crossing < 0.5 ? 0.12 : 1, 0.01}, growing(crossing, 0.3));
        EXPECT_EQ(found.verdict, Verdict::undecided) << crossing;
        EXPECT_FALSE(found.threshold) << crossing;
    }
    EXPECT_EQ(find_break_even({0, 1, 0.01}, growing(0.5, 0.3)).verdict, Verdict::faster_above);
}

}  // namespace
}  // namespace convscope
