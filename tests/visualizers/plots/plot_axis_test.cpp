#include "visualizers/plots/plot_axis.h"

#include <gtest/gtest.h>

#include <algorithm>

#include <cmath>

namespace convscope {
namespace {

std::vector<std::string> labels(const std::vector<Tick>& ticks) {
    std::vector<std::string> out;
    for (const Tick& tick : ticks)
        if (!tick.label.empty()) out.push_back(tick.label);
    return out;
}

TEST(NiceTicks, stand_at_round_numbers_with_equal_decimals) {
    EXPECT_EQ(labels(nice_ticks(0, 10, 5)), (std::vector<std::string>{"0", "2", "4", "6", "8", "10"}));
    EXPECT_EQ(labels(nice_ticks(0.13, 0.92, 4)), (std::vector<std::string>{"0.2", "0.4", "0.6", "0.8"}));
    EXPECT_EQ(labels(nice_ticks(-1, 1, 4)), (std::vector<std::string>{"-1.0", "-0.5", "0.0", "0.5", "1.0"}));
}

TEST(NiceTicks, are_at_least_two) {
    for (double high = 1; high < 10; high += 0.37) EXPECT_GE(nice_ticks(0, high, 1).size(), 2u) << high;
    for (double high = 1; high < 10; high += 0.37) EXPECT_GE(nice_ticks(0, high, 2).size(), 2u) << high;
}

TEST(NiceTicks, stay_inside_the_range_and_near_their_number_for_any_scale) {
    for (int power = -12; power <= 12; ++power)
        for (const double factor : {1.0, 1.7, 3.3, 9.9}) {
            const double high = factor * std::pow(10.0, power);
            const auto ticks = nice_ticks(high / 7, high, 6);
            EXPECT_GE(ticks.size(), 2u) << high;
            EXPECT_LE(ticks.size(), 8u) << high;
            for (const Tick& tick : ticks) {
                EXPECT_GE(tick.value, high / 7 * (1 - 1e-6));
                EXPECT_LE(tick.value, high * (1 + 1e-6));
            }
        }
}

TEST(NiceTicks, of_counts_are_whole_numbers) {
    EXPECT_EQ(labels(nice_ticks(0.9, 2.1, 6, true)), (std::vector<std::string>{"1", "2"}));
    EXPECT_EQ(labels(nice_ticks(0, 1, 8, true)), (std::vector<std::string>{"0", "1"}));
    EXPECT_EQ(labels(nice_ticks(0.9, 1.1, 8, true)), (std::vector<std::string>{"1"}));
    EXPECT_EQ(labels(nice_ticks(0, 27, 6, true)), (std::vector<std::string>{"0", "5", "10", "15", "20", "25"}));
    EXPECT_EQ(labels(log_ticks(1, 2, 8, true)), (std::vector<std::string>{"1", "2"}));
}

TEST(NiceTicks, are_none_for_an_impossible_range) {
    EXPECT_TRUE(nice_ticks(1, 1, 5).empty());
    EXPECT_TRUE(nice_ticks(2, 1, 5).empty());
    EXPECT_TRUE(nice_ticks(0, INFINITY, 5).empty());
    EXPECT_TRUE(log_ticks(0, 10, 5).empty());
    EXPECT_TRUE(log_ticks(NAN, 10, 5).empty());
}

TEST(LogTicks, label_decades_and_what_fits_between) {
    EXPECT_EQ(labels(log_ticks(1, 100, 6)), (std::vector<std::string>{"1", "2", "5", "10", "20", "50", "100"}));
    EXPECT_EQ(labels(log_ticks(0.01, 10000, 3)), (std::vector<std::string>{"0.01", "1", "100", "10 000"}));
    EXPECT_EQ(labels(log_ticks(2.8, 11, 6)), (std::vector<std::string>{"3", "4", "5", "6", "7", "8", "9", "10"}));
    EXPECT_GT(log_ticks(0.01, 10000, 3).size(), 40u);  // minor ticks
}

TEST(BinaryTicks, stand_at_powers_of_two) {
    EXPECT_EQ(labels(binary_ticks(7, 300, 10)), (std::vector<std::string>{"8", "16", "32", "64", "128", "256"}));
    EXPECT_EQ(labels(binary_ticks(8, 256, 3)), (std::vector<std::string>{"8", "32", "128"}));
    EXPECT_TRUE(binary_ticks(0, 8, 3).empty());
    EXPECT_TRUE(are_powers_of_two({1, 8, 1024}));
    EXPECT_FALSE(are_powers_of_two({8, 12}));
    EXPECT_FALSE(are_powers_of_two({0.5, 8}));
}

TEST(PaddedRange, keeps_positive_values_above_zero_and_singles_apart) {
    const AxisRange single = padded_range(5, 5, false);
    EXPECT_LT(single.low, 5);
    EXPECT_GT(single.high, 5);
    EXPECT_GE(padded_range(0.01, 9, false).low, 0);
    EXPECT_GT(padded_range(3, 3, true).low, 0);
    const AxisRange nothing = padded_range(INFINITY, -INFINITY, false);
    EXPECT_LT(nothing.low, nothing.high);
}

TEST(TimeUnit, fits_the_largest_value) {
    EXPECT_STREQ(time_unit_for(4.2).name, "us");
    EXPECT_STREQ(time_unit_for(25000).name, "ms");
    EXPECT_STREQ(time_unit_for(3e6).name, "s");
}

TEST(LogTicks, are_labelled_at_least_twice_on_a_short_axis) {
    for (const double low : {0.0006, 0.0011, 0.02})
        for (const double factor : {90.0, 900.0, 4000.0}) {
            const auto ticks = log_ticks(low, low * factor, 2);
            EXPECT_GE(std::count_if(ticks.begin(), ticks.end(), [](const Tick& tick) { return !tick.label.empty(); }),
                      2)
                << low << " " << factor;
        }
}

TEST(PlotAxis, a_logarithmic_axis_of_less_than_a_decade_has_two_labels_at_least) {
    for (const auto& [low, high] : {std::pair{14.0, 45.0}, {21.0, 49.0}, {6.0, 19.0}, {1.1, 4.9}}) {
        const std::vector<Tick> ticks = log_ticks(low, high, 3);
        EXPECT_GE(std::count_if(ticks.begin(), ticks.end(), [](const Tick& tick) { return !tick.label.empty(); }), 2)
            << low << " to " << high;
    }
}

}  // namespace
}  // namespace convscope
