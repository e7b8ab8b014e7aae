// Goals: the fastest baseline counts, and a row without a result is not reached.
#include "kernels/reproduce/goal_values.h"

#include <gtest/gtest.h>

#include "tests/kernels/reproduce/figure_of_two.h"

namespace convscope {
namespace {

using testing::timed;
using testing::two_points;

PointRecords three_methods() {
    return {{timed("ours", 10), timed("slow", 90), timed("quick", 40)},
            {timed("ours", 20), timed("slow", 20), timed("quick", 30)}};
}

FigureGoal goal(FigureSummary take, double at_least = 1) {
    return {"1", "over both", {"ours"}, {"slow", "quick"}, GoalValue::ratio, take, at_least};
}

TEST(GoalValues, the_fastest_baseline_counts) {
    const auto rows = goal_rows(goal(FigureSummary::mean), two_points(), three_methods());
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[0].baseline, "quick");
    EXPECT_EQ(rows[0].ratio, 4);
    EXPECT_EQ(rows[1].baseline, "slow");
    EXPECT_EQ(rows[1].ratio, 1);
}

TEST(GoalValues, the_fastest_of_ours_counts_and_is_named) {
    PointRecords two = three_methods();
    two[0].push_back(timed("newer", 15));
    two[1].push_back(timed("newer", 10));
    FigureGoal either = goal(FigureSummary::smallest);
    either.of = {"ours", "newer"};
    const auto rows = goal_rows(either, two_points(), two);
    EXPECT_EQ(rows[0].ours, "ours");
    EXPECT_EQ(rows[0].ratio, 4);
    EXPECT_EQ(rows[1].ours, "newer");
    EXPECT_EQ(rows[1].ratio, 2);
    EXPECT_EQ(outcome_of(either, two_points(), two).value, 2);
    two[0][0].status = two[0].back().status = Status::incorrect;
    EXPECT_EQ(goal_rows(either, two_points(), two)[0].ours, "ours|newer");
}

TEST(GoalValues, summaries) {
    const auto value = [](FigureSummary take) {
        return outcome_of(goal(take), two_points(), three_methods()).value.value();
    };
    EXPECT_DOUBLE_EQ(value(FigureSummary::mean), 2.5);
    EXPECT_DOUBLE_EQ(value(FigureSummary::geometric_mean), 2);
    EXPECT_DOUBLE_EQ(value(FigureSummary::smallest), 1);
    EXPECT_DOUBLE_EQ(value(FigureSummary::largest), 4);
    EXPECT_DOUBLE_EQ(value(FigureSummary::total), (40.0 + 3 * 20) / (10 + 3 * 20));
}

TEST(GoalValues, reached_needs_every_row) {
    EXPECT_TRUE(outcome_of(goal(FigureSummary::mean, 2.5), two_points(), three_methods()).reached);
    EXPECT_FALSE(outcome_of(goal(FigureSummary::mean, 2.51), two_points(), three_methods()).reached);
    PointRecords one_failed = three_methods();
    one_failed[1][0].status = Status::incorrect;
    const GoalOutcome outcome = outcome_of(goal(FigureSummary::mean, 2.5), two_points(), one_failed);
    EXPECT_EQ(outcome.value, 4);  // of the row that is left
    EXPECT_EQ(outcome.measured, 1u);
    EXPECT_FALSE(outcome.reached);
    EXPECT_FALSE(goal_rows(goal(FigureSummary::mean), two_points(), one_failed)[1].ratio);
}

TEST(GoalValues, rates_and_rooflines) {
    PointRecords some = three_methods();
    for (auto& point : some) point[0].gflops = 500;
    FigureGoal rate = goal(FigureSummary::smallest, 400);
    rate.value = GoalValue::gflops;
    EXPECT_TRUE(outcome_of(rate, two_points(), some).reached);
    some[1][0].gflops = 300;
    EXPECT_FALSE(outcome_of(rate, two_points(), some).reached);

    Record& first = some[0][0];
    first.device_name = "NVIDIA H100 80GB HBM3";
    first.arithmetic = "fp32";
    first.shape = {.n = 1, .c = 64, .h = 56, .w = 56, .k = 64, .r = 3, .s = 3};
    first.flops_executed = 4 * 66.9e6;  // 4 us of the 10
    FigureGoal share = goal(FigureSummary::largest);
    share.value = GoalValue::roofline_pct;
    EXPECT_NEAR(outcome_of(share, two_points(), some).value.value(), 40, 1e-9);
    EXPECT_NEAR(goal_rows(share, two_points(), some)[0].roofline_fraction.value(), 0.4, 1e-9);
}

TEST(GoalValues, a_fall_is_from_the_fewest_zeros_of_a_layer_to_its_most) {
    FigureGoal fall = goal(FigureSummary::smallest, 3);
    fall.value = GoalValue::fall;
    fall.baselines = fall.of;
    PaperFigure figure = two_points();
    figure.points[1].spec.shape = figure.points[0].spec.shape;
    figure.points[0].spec.sparsity = 0.5;
    figure.points[1].spec.sparsity = 0.95;
    const PointRecords points{{timed("ours", 40), timed("slow", 5)}, {timed("ours", 10), timed("slow", 5)}};
    const GoalOutcome outcome = outcome_of(fall, figure, points);
    EXPECT_EQ(outcome.points, 1U);
    EXPECT_EQ(outcome.value, 4);
    EXPECT_TRUE(outcome.reached);
    const auto rows = goal_rows(fall, figure, points);
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].baseline_us, 40);
    EXPECT_EQ(rows[0].ours_us, 10);
    figure.points[1].spec.shape.h += 1;
    EXPECT_EQ(outcome_of(fall, figure, points).points, 0U) << "two layers, each with one share of zeros";
}

TEST(GoalValues, are_written_as_csv) {
    auto rows = goal_rows(goal(FigureSummary::mean), two_points(), three_methods());
    rows[1].ours_us.reset();
    rows[1].ratio.reset();
    EXPECT_EQ(goal_csv_row(rows[0]), "1,a,quick,40,ours,10,4,,");
    EXPECT_EQ(goal_csv_row(rows[1]), "1,\"b, c\",slow,20,ours,,,,");
}

}  // namespace
}  // namespace convscope
