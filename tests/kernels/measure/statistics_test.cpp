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

TEST(Statistics, too_few_values_have_no_interval) {
    EXPECT_FALSE(samples({1, 2, 3, 4, 5}).median_interval(0.95));
    EXPECT_EQ(samples({1, 2, 3, 4, 5, 6}).median_interval(0.95), (std::pair{1.0, 6.0}));
    EXPECT_FALSE(SortedSamples{}.median_interval(0.95));
}

}  // namespace
}  // namespace convscope
