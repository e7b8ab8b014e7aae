// The plot of live timing: what it says of samples, medians and drift.
#include "app/ui/live_timing/timing_plot.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/ui/widgets/format.h"
#include "kernels/measure/sample_counts.h"
#include "kernels/method/registry.h"
#include "visualizers/plots/plot_files.h"

namespace convscope::app {
namespace {

LiveSeries measured(const std::string& method, const std::vector<double>& samples_us, double median_us) {
    LiveSeries series;
    series.method = method;
    series.history.begin_round();
    for (std::size_t i = 0; i < samples_us.size(); ++i)
        series.history.add(static_cast<std::int64_t>(i) + 1, samples_us[i]);
    series.timing.samples = samples_us.size();
    series.timing.median_us = median_us;
    series.timing.q1_us = 0.97 * median_us;
    series.timing.q3_us = 1.03 * median_us;
    series.timing.interval_us = {0.99 * median_us, 1.01 * median_us};
    return series;
}

Plot plot_of(const std::vector<LiveSeries>& series) {
    static const auto registry = make_registry();
    return timing_plot(series, *registry, DeviceKind::cpu);
}

TEST(TimingPlot, has_samples_and_a_level_in_its_bands_for_each_method) {
    const Plot plot = plot_of({measured("ecr1", {4, 5, 4, 15000}, 4), measured("onednn", {9, 9}, 9)});
    ASSERT_EQ(plot.series.size(), 4U);
    const PlotSeries &level = plot.series[0], &samples = plot.series[1];
    EXPECT_EQ(level.marks, PlotSeries::Marks::level);
    EXPECT_EQ(plot.x.names, (std::vector<std::string>{"ecr1", "onednn"}));
    EXPECT_EQ(level.x, (std::vector<double>{-0.4, 0.4})) << "across its strip";
    EXPECT_TRUE(std::ranges::is_sorted(samples.x)) << "in the order of time";
    EXPECT_GT(samples.x.front(), -0.4);
    EXPECT_LT(samples.x.back(), 0.4);
    EXPECT_EQ(level.y, (std::vector<double>{4, 4}));
    EXPECT_LT(level.low[0], level.inner_low[0]);
    EXPECT_EQ(samples.marks, PlotSeries::Marks::samples);
    EXPECT_EQ(samples.y, (std::vector<double>{4, 5, 4, 15000}));
    EXPECT_GT(samples.outliers, 5);
    EXPECT_LT(samples.outliers, 20) << "what is far above the quartiles";
    EXPECT_EQ(samples.name, level.name) << "one name switches both off";
    EXPECT_TRUE(plot.series[2].vendor);
    EXPECT_EQ(plot.warning, "");
    EXPECT_EQ(plot_csv(plot).substr(0, 48), "series,sample,time_us,status_reason\r\necr1,0,4,\r\n") << "samples alone";
}

TEST(TimingPlot, a_time_that_drifts_is_two_lines_and_a_warning) {
    LiveSeries series = measured("ecr1", {4, 4, 4.6, 4.6}, 4.3);
    series.timing.drift.emplace();
    series.timing.drift->before_us = 4;
    series.timing.drift->after_us = 4.6;
    series.timing.drift->at = 2;
    const Plot plot = plot_of({series});
    const PlotSeries& level = plot.series[0];
    EXPECT_TRUE(level.low.empty());
    ASSERT_EQ(level.x.size(), 5U);
    EXPECT_GT(level.x[1], plot.series[1].x[1]);
    EXPECT_LE(level.x[1], plot.series[1].x[2]) << "from the first that is slower";
    EXPECT_EQ(level.y[1], 4);
    EXPECT_TRUE(std::isnan(level.y[2]));
    EXPECT_EQ(level.y[3], 4.6);
    EXPECT_EQ(plot.warning, "ecr1 drifts: 4.00 us, then 4.60 us");
    EXPECT_EQ(level.end_words, "now 4.60 us") << "the table has the median of all";
}

TEST(TimingPlot, has_the_fastest_on_top) {
    const Plot plot = plot_of({measured("onednn", {9, 9}, 9), measured("ecr1", {4, 4}, 4)});
    EXPECT_EQ(plot.x.names, (std::vector<std::string>{"ecr1", "onednn"}));
}

TEST(TimingPlot, writes_a_median_as_the_table_does) {
    for (const double us : {4.2, 999.4, 3024.0, 35'500.0, 2.5e6})
        EXPECT_EQ(plot_of({measured("ecr1", {us, us}, us)}).series[0].end_words, duration(us));
    EXPECT_EQ(duration(3024), "3.02 ms");
}

TEST(TimingPlot, has_one_unit_that_of_the_longest_median) {
    const Plot plot = plot_of({measured("ecr1", {840, 840}, 840), measured("onednn", {3024, 3024}, 3024)});
    EXPECT_EQ(plot.y.unit, "ms");
    EXPECT_EQ(plot.series[0].end_words, "0.840 ms");
    EXPECT_EQ(plot.series[2].end_words, "3.02 ms");
    EXPECT_EQ(plot.series[0].y, (std::vector<double>{0.84, 0.84}));
    EXPECT_EQ(plot.series[3].y, (std::vector<double>{3.024, 3.024}));
    EXPECT_NE(plot_csv(plot).find("time_ms"), std::string::npos);
}

TEST(TimingPlot, without_samples_is_empty) {
    EXPECT_TRUE(plot_of({}).series.empty());
    EXPECT_EQ(plot_of({}).empty_hint, "");
    EXPECT_TRUE(plot_of({measured("ecr1", {}, 0)}).series.empty());
}

LiveSeries too_busy(const std::string& method, std::int64_t waited) {
    LiveSeries series;
    series.method = method;
    series.latest.emplace();
    set_too_busy(*series.latest, {0, waited});
    return series;
}

TEST(TimingPlot, says_of_a_method_without_samples_that_count_why) {
    const LiveSeries fine = measured("onednn", {9, 9}, 9);
    const Plot none = plot_of({too_busy("ecr1", 5), too_busy("im2col", 7)});
    EXPECT_TRUE(none.series.empty());
    EXPECT_EQ(none.empty_hint,
              "ecr1: Too busy: 5 of 5 samples waited for a core\nim2col: Too busy: 7 of 7 samples waited for a core");
    const Plot some = plot_of({too_busy("ecr1", 5), fine});
    ASSERT_EQ(some.series.size(), 2U);
    EXPECT_EQ(some.warning, "ecr1: Too busy: 5 of 5 samples waited for a core");
}

}  // namespace
}  // namespace convscope::app
