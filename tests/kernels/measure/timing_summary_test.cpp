#include "kernels/measure/timing_summary.h"

#include <gtest/gtest.h>

#include <random>

namespace convscope {
namespace {

TimingSummary of(const std::vector<double>& samples_us) {
    return summarize(samples_us, SortedSamples(samples_us), 1);
}

/// Times about 100 us whose deviations follow each other: each is 'memory' times the one before, and something new.
std::vector<double> times(int count, double memory, unsigned seed, double spread_us = 2) {
    std::mt19937 random(seed);
    std::normal_distribution<double> fresh(0, spread_us * std::sqrt(1 - memory * memory));
    std::vector<double> values;
    for (double deviation = 0; static_cast<int>(values.size()) < count;) {
        deviation = memory * deviation + fresh(random);
        values.push_back(100 + deviation);
    }
    return values;
}

TEST(TimingSummary, of_few_samples_is_the_interval_of_order_statistics) {
    const std::vector<double> six{90, 99, 100, 100, 101, 110};
    const TimingSummary summary = of(six);
    EXPECT_EQ(summary.samples, 6U);
    EXPECT_EQ(summary.median_us, 100);
    EXPECT_EQ(summary.interval_us, SortedSamples(six).median_interval(0.95));
    EXPECT_DOUBLE_EQ(*summary.noise_pct(), 10);
    EXPECT_FALSE(of({1, 2, 3, 4, 5}).interval_us);
    EXPECT_FALSE(summary.wide_interval_us) << "a ratio needs 7";
}

TEST(TimingSummary, narrows_with_more_samples) {
    const std::vector<double> all = times(6400, 0, 1);
    double before = 1e9;
    for (const std::size_t count : {100U, 400U, 1600U, 6400U}) {
        const double noise = *of({all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count)}).noise_pct();
        EXPECT_LT(noise, 0.75 * before) << count;
        before = noise;
    }
}

TEST(TimingSummary, covers_the_median_of_samples_that_follow_each_other_where_a_plain_interval_does_not) {
    int covered = 0, plainly_covered = 0;
    constexpr int runs = 200;
    for (unsigned seed = 0; seed < runs; ++seed) {
        const std::vector<double> samples = times(2000, 0.95, seed);
        const auto interval = of(samples).interval_us;
        const auto plain = SortedSamples(samples).median_interval(0.95);
        covered += interval->first <= 100 && 100 <= interval->second;
        plainly_covered += plain->first <= 100 && 100 <= plain->second;
    }
    EXPECT_GE(covered, 0.9 * runs);
    EXPECT_LT(plainly_covered, 0.6 * runs);
}

TEST(TimingSummary, a_time_that_stays_does_not_drift) {
    for (unsigned seed = 0; seed < 100; ++seed) EXPECT_FALSE(of(times(960, 0.5, seed)).drift) << seed;
}

TEST(TimingSummary, a_step_is_found_where_it_is_and_not_averaged_away) {
    std::vector<double> samples = times(600, 0, 1, 0.5);
    for (double later : times(200, 0, 2, 0.5)) samples.push_back(later * 1.12);
    const TimingSummary summary = of(samples);
    ASSERT_TRUE(summary.drift);
    EXPECT_NEAR(static_cast<double>(summary.drift->at), 600, 34);  // a batch
    EXPECT_NEAR(summary.drift->before_us, 100, 0.3);
    EXPECT_NEAR(summary.drift->after_us, 112, 0.3);
}

TEST(TimingSummary, a_step_below_the_requested_noise_is_none) {
    std::vector<double> samples = times(400, 0, 1, 0.1);
    for (double later : times(400, 0, 2, 0.1)) samples.push_back(later * 1.006);
    EXPECT_FALSE(of(samples).drift);
    EXPECT_TRUE(summarize(samples, SortedSamples(samples), 0.5).drift);
}

TEST(TimingSummary, a_slow_ramp_drifts) {
    std::vector<double> samples = times(800, 0, 1, 0.5);
    for (std::size_t i = 0; i < samples.size(); ++i) samples[i] *= 1 + 0.1 * static_cast<double>(i) / 800;
    ASSERT_TRUE(of(samples).drift);
    EXPECT_LT(of(samples).drift->before_us, of(samples).drift->after_us);
}

TEST(TimingSummary, a_ratio_pairs_opposite_ends) {
    TimingSummary base, other;
    base.wide_interval_us = {20, 24};
    EXPECT_FALSE(ratio_interval(base, other));
    other.wide_interval_us = {8, 12};
    const auto interval = ratio_interval(base, other);
    ASSERT_TRUE(interval);
    EXPECT_DOUBLE_EQ(interval->first, 20.0 / 12);
    EXPECT_DOUBLE_EQ(interval->second, 3);
}

}  // namespace
}  // namespace convscope
