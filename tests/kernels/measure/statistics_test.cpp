#include "kernels/measure/statistics.h"

#include <gtest/gtest.h>

namespace convscope {
namespace {

SortedSamples samples(const std::vector<double>& values) {
    SortedSamples sorted;
    for (double value : values) sorted.add(value);
    return sorted;
}

TEST(Statistics, quartiles_interpolate_between_neighbours) {
    // Positions 0.75, 1.5 and 2.25 of 1, 2, 4, 8.
    const SortedSamples four = samples({8, 1, 4, 2});
    EXPECT_DOUBLE_EQ(four.quantile(0.25), 1.75);
    EXPECT_DOUBLE_EQ(four.median(), 3);
    EXPECT_DOUBLE_EQ(four.quantile(0.75), 5);
    EXPECT_DOUBLE_EQ(four.mean(), 3.75);
}

TEST(Statistics, one_sample_is_every_quantile) {
    const SortedSamples one = samples({3});
    EXPECT_DOUBLE_EQ(one.quantile(0), 3);
    EXPECT_DOUBLE_EQ(one.median(), 3);
    EXPECT_DOUBLE_EQ(one.quantile(1), 3);
}

// Ranks from printed tables of the sign test's interval: n = 6 takes the extremes, n = 20 the 6th, n = 100 the 40th.
TEST(Statistics, ranks_of_the_medians_interval) {
    EXPECT_EQ(median_interval_rank(5, 0.95), 0);
    EXPECT_EQ(median_interval_rank(6, 0.95), 1);
    EXPECT_EQ(median_interval_rank(9, 0.95), 2);
    EXPECT_EQ(median_interval_rank(20, 0.95), 6);
    EXPECT_EQ(median_interval_rank(100, 0.95), 40);
    EXPECT_EQ(median_interval_rank(6, 0.975), 0);
    EXPECT_EQ(median_interval_rank(7, 0.975), 1);
}

TEST(Statistics, ten_thousand_samples_do_not_underflow) {
    // Normal approximation: 5000 - 1.96 * 50 = 4902.
    EXPECT_NEAR(static_cast<double>(median_interval_rank(10000, 0.95)), 4902, 1);
}

TEST(Statistics, noise_is_half_the_interval_over_the_median) {
    // Six samples: the interval is [90, 110], the median 100.
    const auto noise = samples({90, 99, 100, 100, 101, 110}).noise_pct();
    ASSERT_TRUE(noise);
    EXPECT_DOUBLE_EQ(*noise, 10);
}

TEST(Statistics, too_few_samples_have_no_noise) {
    EXPECT_FALSE(samples({1, 2, 3, 4, 5}).noise_pct());
    EXPECT_FALSE(SortedSamples{}.median_interval(0.95));
}

TEST(Statistics, ratio_pairs_opposite_ends) {
    const SortedSamples baseline = samples({20, 21, 22, 22, 22, 23, 24});
    const SortedSamples ours = samples({8, 10, 10, 10, 10, 10, 12});
    const auto interval = ratio_interval(baseline, ours);
    ASSERT_TRUE(interval);
    EXPECT_DOUBLE_EQ(interval->first, 20.0 / 12);
    EXPECT_DOUBLE_EQ(interval->second, 24.0 / 8);
    EXPECT_FALSE(ratio_interval(baseline, samples({1, 1, 1, 1, 1, 1})));
}

}  // namespace
}  // namespace convscope
