// Values of figures from records: ratios, shares, sums by weight, and nothing where a method did not pass.
#include "kernels/reproduce/figure_values.h"

#include <gtest/gtest.h>

#include "tests/kernels/reproduce/figure_of_two.h"

namespace convscope {
namespace {

using testing::timed;
using testing::two_points;

Record with_workspace(const std::string& method, double us, std::int64_t workspace) {
    Record record = timed(method, us);
    record.workspace_bytes = workspace;
    return record;
}

const PointRecords both{{with_workspace("a", 10, 2'000'000), with_workspace("b", 40, 8'000'000)},
                        {with_workspace("a", 20, 1'000'000), with_workspace("b", 20, 4'000'000)}};
const PaperSeries speedup{"S", FigureValue::speedup, {"a"}, {"b"}};

TEST(FigureValues, speed_up_is_the_others_time_over_ours) {
    const auto values = values_of(speedup, two_points(), both);
    EXPECT_DOUBLE_EQ(values[0].value(), 4);
    EXPECT_DOUBLE_EQ(values[1].value(), 1);
}

TEST(FigureValues, nothing_is_shown_where_a_method_did_not_pass) {
    PointRecords failed = both;
    failed[0][1].status = Status::incorrect;
    failed[1].pop_back();
    const auto values = values_of(speedup, two_points(), failed);
    EXPECT_FALSE(values[0] || values[1]);
    EXPECT_FALSE(summary_of(speedup, FigureSummary::mean, two_points(), failed));
    EXPECT_FALSE(values_of(speedup, two_points(), {})[0]);
}

TEST(FigureValues, summaries_are_of_the_points_that_have_a_value) {
    const PaperFigure figure = two_points();
    EXPECT_DOUBLE_EQ(summary_of(speedup, FigureSummary::mean, figure, both).value(), 2.5);
    EXPECT_DOUBLE_EQ(summary_of(speedup, FigureSummary::geometric_mean, figure, both).value(), 2);
    EXPECT_DOUBLE_EQ(summary_of(speedup, FigureSummary::largest, figure, both).value(), 4);
    EXPECT_DOUBLE_EQ(summary_of(speedup, FigureSummary::smallest, figure, both).value(), 1);
    PointRecords first_only = both;
    first_only[1].clear();
    EXPECT_DOUBLE_EQ(summary_of(speedup, FigureSummary::mean, figure, first_only).value(), 4);
}

TEST(FigureValues, a_total_weighs_each_point) {
    PaperFigure figure = two_points();
    EXPECT_DOUBLE_EQ(summary_of(speedup, FigureSummary::total, figure, both).value(), (40.0 + 3 * 20) / (10 + 3 * 20));
    const PaperSeries time{"T", FigureValue::time_us, {"a"}, {}};
    EXPECT_DOUBLE_EQ(summary_of(time, FigureSummary::total, figure, both).value(), 10 + 3 * 20);
    // Values that are shown with their weight are not weighed twice, and ratios not at all.
    figure.weighted = true;
    EXPECT_DOUBLE_EQ(values_of(time, figure, both)[1].value(), 60);
    EXPECT_DOUBLE_EQ(summary_of(time, FigureSummary::total, figure, both).value(), 10 + 3 * 20);
    EXPECT_DOUBLE_EQ(values_of(speedup, figure, both)[1].value(), 1);
    EXPECT_DOUBLE_EQ(summary_of(speedup, FigureSummary::total, figure, both).value(), (40.0 + 3 * 20) / (10 + 3 * 20));
}

TEST(FigureValues, of_several_methods_the_fastest_counts_at_each_point) {
    PointRecords three = both;
    three[0].push_back(timed("c", 20));
    three[1].push_back(timed("c", 40));
    const PaperSeries best{"S", FigureValue::speedup, {"a"}, {"b", "c"}};
    EXPECT_DOUBLE_EQ(values_of(best, two_points(), three)[0].value(), 2);
    EXPECT_DOUBLE_EQ(values_of(best, two_points(), three)[1].value(), 1);
    EXPECT_DOUBLE_EQ(summary_of(best, FigureSummary::total, two_points(), three).value(),
                     (20.0 + 3 * 20) / (10 + 3 * 20));
    three[0].back().status = Status::incorrect;
    EXPECT_DOUBLE_EQ(values_of(best, two_points(), three)[0].value(), 4);
}

TEST(FigureValues, the_last_points_value_can_be_the_summary) {
    EXPECT_DOUBLE_EQ(summary_of(speedup, FigureSummary::last, two_points(), both).value(), 1);
    PointRecords first_only = both;
    first_only[1].clear();
    EXPECT_FALSE(summary_of(speedup, FigureSummary::last, two_points(), first_only));
}

TEST(FigureValues, rank_correlation_is_spearmans) {
    const auto correlation = [](std::vector<std::optional<double>> a, std::vector<std::optional<double>> b) {
        return rank_correlation(a, b);
    };
    EXPECT_DOUBLE_EQ(correlation({1, 2, 30}, {0.1, 0.2, 0.3}).value(), 1);
    EXPECT_DOUBLE_EQ(correlation({1, 2, 30}, {3, 2, -9}).value(), -1);
    EXPECT_DOUBLE_EQ(correlation({1, 2, 3, 4}, {1, 3, 2, 4}).value(), 0.8);
    // Equal values share their ranks, and points without a value do not count.
    EXPECT_DOUBLE_EQ(correlation({1, 1, 2, 2}, {1, 1, 2, 2}).value(), 1);
    EXPECT_DOUBLE_EQ(correlation({1, std::nullopt, 3}, {1, 9, 2}).value(), 1);
    EXPECT_FALSE(correlation({1, 1}, {1, 2}));
}

TEST(FigureValues, memory_is_in_its_unit) {
    const PaperFigure figure = two_points();
    EXPECT_DOUBLE_EQ(values_of({"M", FigureValue::workspace_mb, {"a"}, {}}, figure, both)[0].value(), 2);
    EXPECT_DOUBLE_EQ(values_of({"M", FigureValue::workspace_mib, {"a"}, {}}, figure, both)[0].value(), 2e6 / (1 << 20));
    EXPECT_DOUBLE_EQ(values_of({"M", FigureValue::saving, {"a"}, {"b"}}, figure, both)[0].value(), 4);
}

TEST(FigureValues, the_conversion_is_a_share_of_the_stages) {
    PointRecords staged = both;
    staged[0][0].convert_us = 2;
    staged[0][0].multiply_us = 5;
    staged[0][0].pool_us = 1;
    const PaperSeries share{"C", FigureValue::convert_pct, {"a"}, {}};
    const auto values = values_of(share, two_points(), staged);
    EXPECT_DOUBLE_EQ(values[0].value(), 25);
    EXPECT_FALSE(values[1]);  // its stages were not timed
}

TEST(FigureValues, theta_is_percent_of_zeros_over_the_width) {
    PointRecords sparse = both;
    sparse[0][0].sparsity_measured = 0.9;
    EXPECT_DOUBLE_EQ(values_of({"Theta", FigureValue::theta, {"a"}, {}}, two_points(), sparse)[0].value(), 9);
}

TEST(FigureValues, the_roofline_is_the_least_time_that_the_peaks_allow) {
    PointRecords dense = both;
    Record& record = dense[0][0];
    record.device_name = "NVIDIA H100 80GB HBM3";
    record.arithmetic = "fp32";
    record.shape = {.n = 1, .c = 64, .h = 56, .w = 56, .k = 64, .r = 3, .s = 3};
    record.flops_executed = 66.9e6;  // a microsecond of 66.9 TFLOP/s, and less of memory
    const PaperSeries share{"R", FigureValue::roofline_pct, {"a"}, {}};
    EXPECT_NEAR(values_of(share, two_points(), dense)[0].value(), 10, 1e-9);
    // A method that skips zeros is held against what it executes.
    *record.flops_executed /= 100;
    const double memory_us = static_cast<double>(record.shape.min_bytes()) / 3350e3;
    EXPECT_NEAR(values_of(share, two_points(), dense)[0].value(), 100 * memory_us / 10, 1e-9);
    record.device_name = "a CPU";
    EXPECT_FALSE(values_of(share, two_points(), dense)[0]);
}

TEST(FigureValues, are_written_with_their_units) {
    EXPECT_EQ(figure_text(FigureValue::speedup, 1.966), "1.97x");
    EXPECT_EQ(figure_text(FigureValue::convert_pct, 33.7), "34 %");
    EXPECT_EQ(figure_text(FigureValue::time_us, 97117), "97.1 ms");
    EXPECT_EQ(figure_text(FigureValue::workspace_mib, 41.73), "41.73 MiB");
}

}  // namespace
}  // namespace convscope
