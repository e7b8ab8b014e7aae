#include "kernels/measure/timing_summary.h"

#include <gtest/gtest.h>

#include "tests/kernels/measure/sample_series.h"

namespace convscope {
namespace {

using testing::Series;

std::vector<double> times(std::size_t count, double memory, unsigned seed, double spread_us = 2) {
    return Series(seed).remembering(count, memory, spread_us);
}

TEST(TimingSummary, of_few_samples_spans_them_all) {
    const TimingSummary summary = summarize(std::vector<double>{90, 99, 100, 100, 101, 110});
    EXPECT_EQ(summary.samples, 6U);
    EXPECT_EQ(summary.median_us, 100);
    EXPECT_EQ(summary.mean_us, 100);
    EXPECT_EQ(summary.min_us, 90);
    EXPECT_EQ(summary.q1_us, 99.25);
    EXPECT_EQ(summary.interval_us, (std::pair{90.0, 110.0}));
    EXPECT_DOUBLE_EQ(*summary.noise_pct(), 10);
    EXPECT_FALSE(summary.wide_interval_us) << "needs 7";
    EXPECT_EQ(summarize({{90, 99, 100, 100, 100, 101, 110}}).wide_interval_us, (std::pair{90.0, 110.0}));
    EXPECT_FALSE(summarize(std::vector<double>{1, 2, 3, 4, 5}).interval_us);
    EXPECT_EQ(summarize({}).samples, 0U);
}

TEST(TimingSummary, narrows_with_more_samples) {
    const std::vector<double> all = times(6400, 0, 1);
    const double few = *summarize(std::span(all).first(100)).noise_pct();
    EXPECT_LT(*summarize(all).noise_pct(), few / 4);
}

TEST(TimingSummary, settles_on_enough_independent_samples_alone) {
    EXPECT_TRUE(summarize(times(1000, 0, 1)).settled(1));
    EXPECT_FALSE(summarize(times(1000, 0, 1)).settled(0.01));
    const TimingSummary slow = summarize(times(1000, 0.999, 1));
    EXPECT_TRUE(slow.dependent);
    EXPECT_FALSE(slow.settled(100));
    EXPECT_NE(slow.doubts().find("drifts"), slow.doubts().find("resemble each other")) << slow.doubts();
    EXPECT_EQ(summarize(times(1000, 0, 1)).doubts(), "");
}

TEST(TimingSummary, a_time_that_stays_does_not_drift) {
    for (unsigned seed = 0; seed < 100; ++seed) EXPECT_FALSE(summarize(times(960, 0.5, seed)).drift) << seed;
}

TEST(TimingSummary, a_step_is_found_where_it_is_and_not_averaged_away) {
    std::vector<double> samples = times(600, 0, 1, 0.5);
    for (double later : times(200, 0, 2, 0.5)) samples.push_back(later * 1.12);
    const TimingSummary summary = summarize(samples);
    ASSERT_TRUE(summary.drift);
    EXPECT_NEAR(static_cast<double>(summary.drift->at), 600, 34);  // a batch
    EXPECT_NEAR(summary.drift->before_us, 100, 0.3);
    EXPECT_NEAR(summary.drift->after_us, 112, 0.3);
    EXPECT_LT(summary.interval_us->first, 100.3);
    EXPECT_GT(summary.interval_us->second, 111.7);
    EXPECT_EQ(summary.doubts().substr(0, 15), "the time drifts");
}

TEST(TimingSummary, a_step_below_the_requested_noise_is_none) {
    std::vector<double> samples = times(400, 0, 1, 0.1);
    for (double later : times(400, 0, 2, 0.1)) samples.push_back(later * 1.006);
    EXPECT_FALSE(summarize(samples).drift);
    EXPECT_TRUE(summarize(samples, 0.5).drift);
}

TEST(TimingSummary, a_slow_ramp_drifts) {
    std::vector<double> samples = times(800, 0, 1, 0.5);
    for (std::size_t i = 0; i < samples.size(); ++i) samples[i] *= 1 + 0.1 * static_cast<double>(i) / 800;
    ASSERT_TRUE(summarize(samples).drift);
    EXPECT_LT(summarize(samples).drift->before_us, summarize(samples).drift->after_us);
}

TEST(TimingSummary, what_two_methods_have_in_common_is_not_in_their_ratio) {
    std::vector<double> base = times(480, 0, 1, 0.5), other = times(480, 0, 2, 0.5);
    for (std::size_t i = 0; i < base.size(); ++i) {
        const double clock = 1 + 0.2 * std::sin(0.02 * static_cast<double>(i));
        base[i] *= 2 * clock;
        other[i] *= clock;
    }
    EXPECT_GT(*summarize(base).noise_pct(), 5);
    const Interval ratio = ratio_interval(summarize(base), summarize(other));
    ASSERT_TRUE(ratio);
    EXPECT_GT(ratio->first, 1.98);
    EXPECT_LT(ratio->second, 2.02);
}

TEST(TimingSummary, a_ratio_needs_six_batches_of_each) {
    const TimingSummary many = summarize(times(100, 0, 1)), six = summarize(times(6, 0, 2));
    EXPECT_TRUE(ratio_interval(many, six));
    EXPECT_FALSE(ratio_interval(many, summarize(times(5, 0, 2))));
    EXPECT_FALSE(ratio_interval(summarize({}), many));
}

TEST(TimingSummary, of_several_runs_spans_their_medians) {
    std::vector<std::vector<double>> runs;
    for (unsigned i = 0; i < 6; ++i) {
        runs.push_back(times(200, 0, i, 0.1));
        for (double& time_us : runs.back()) time_us += 2 * i;
    }
    const TimingSummary summary = summarize_runs(runs);
    EXPECT_EQ(summary.samples, 1200U);
    EXPECT_NEAR(summary.interval_us->first, 100, 0.1);
    EXPECT_NEAR(summary.interval_us->second, 110, 0.1);
    runs.pop_back();
    EXPECT_FALSE(summarize_runs(runs).interval_us);
}

TEST(TimingSummary, a_step_down_is_a_drift_and_keeps_it_from_settling_alone) {
    std::vector<double> samples;
    for (int i = 0; i < 3; ++i) samples.push_back(i == 1 ? 103 : 102);
    for (int i = 0; i < 21; ++i) samples.push_back(i % 2 == 0 ? 100 : 101);
    const TimingSummary summary = summarize(samples, 1.5);
    EXPECT_FALSE(summary.dependent);
    EXPECT_LE(*summary.noise_pct(), 1.5);
    ASSERT_TRUE(summary.drift);
    EXPECT_EQ(summary.drift->at, 3U);
    EXPECT_EQ(summary.drift->before_us, 102);
    EXPECT_EQ(summary.drift->after_us, 100);
    EXPECT_FALSE(summary.settled(1.5));
}

}  // namespace
}  // namespace convscope
