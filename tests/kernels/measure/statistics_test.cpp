#include "kernels/measure/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

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

// All of n values on one side: a stake of 1 has become (2^(n + 1) - 1) / (n + 1), and 200 are enough for 99 %.
TEST(Statistics, ranks_for_looks_at_any_time) {
    EXPECT_EQ(any_look_rank(10, 0.99), 0) << "186";
    EXPECT_EQ(any_look_rank(11, 0.99), 1) << "341";
    EXPECT_EQ(any_look_rank(7, 0.95), 0) << "32";
    EXPECT_EQ(any_look_rank(8, 0.95), 1) << "57";
    for (const std::int64_t n : {20, 100, 1000})
        EXPECT_LT(any_look_rank(n, 0.99), median_interval_rank(n, 0.99)) << "who may stop when he likes knows less";
    EXPECT_GT(any_look_rank(1000, 0.99), 430);
}

// The rank of both ends is the largest with which fewer values lie beyond one of them as rarely as half of 5 %.
TEST(Statistics, each_rank_is_that_of_the_binomial_distribution) {
    for (std::int64_t n = 1; n <= 120; ++n) {
        double share = std::pow(0.5, n), below = share;  // P(Binomial(n, 1/2) <= rank)
        std::int64_t rank = 0;
        for (; below <= 0.025 && rank < n / 2; below += share) {
            share *= static_cast<double>(n - rank) / static_cast<double>(rank + 1);
            ++rank;
        }
        EXPECT_EQ(median_interval_rank(n, 0.95), rank) << n;
    }
}

// The expected worth of a stake, summed over the shares of the money that can be bet.
TEST(Statistics, each_rank_for_looks_at_any_time_is_that_of_the_bets) {
    const auto becomes = [](double n, double above) {
        constexpr int steps = 400;
        double sum = 0;
        for (int i = 0; i <= steps; ++i) {
            const double s = static_cast<double>(i) / steps, weight = i == 0 || i == steps ? 1 : i % 2 == 1 ? 4 : 2;
            sum += weight * std::pow(1 + s, above) * std::pow(1 - s, n - above);
        }
        return sum / (3 * steps);
    };
    for (std::int64_t n = 1; n <= 120; ++n) {
        std::int64_t rank = 0;
        while (rank < n / 2 && becomes(static_cast<double>(n), static_cast<double>(n - rank)) >= 40) ++rank;
        EXPECT_EQ(any_look_rank(n, 0.95), rank) << n;
    }
}

TEST(Statistics, looks_after_each_value_leave_the_median_out_as_rarely_as_stated) {
    constexpr std::size_t most = 200;
    std::vector<std::size_t> plain(most + 1), any_look(most + 1);
    for (std::size_t n = 0; n <= most; ++n) {
        plain[n] = static_cast<std::size_t>(median_interval_rank(static_cast<std::int64_t>(n), 0.95));
        any_look[n] = static_cast<std::size_t>(any_look_rank(static_cast<std::int64_t>(n), 0.95));
    }
    std::mt19937 random(1);
    int left_out = 0, left_out_of_plain = 0;
    constexpr int trials = 2000;
    for (int i = 0; i < trials; ++i) {
        bool out = false, out_of_plain = false;
        // The median lies beyond an interval whose ends have this rank when fewer values lie on one of its sides.
        for (std::size_t n = 1, above = 0; n <= most; ++n) {
            above += random() % 2;
            out |= std::min(above, n - above) < any_look[n];
            out_of_plain |= std::min(above, n - above) < plain[n];
        }
        left_out += out ? 1 : 0;
        left_out_of_plain += out_of_plain ? 1 : 0;
    }
    EXPECT_LE(left_out, trials * 5 / 100);
    EXPECT_GT(left_out_of_plain, trials * 20 / 100) << "or there is no need for it";
}

TEST(Statistics, too_few_values_have_no_interval) {
    EXPECT_FALSE(samples({1, 2, 3, 4, 5}).median_interval(0.95));
    EXPECT_EQ(samples({1, 2, 3, 4, 5, 6}).median_interval(0.95), (std::pair{1.0, 6.0}));
    EXPECT_FALSE(SortedSamples{}.median_interval(0.95));
}

}  // namespace
}  // namespace convscope
