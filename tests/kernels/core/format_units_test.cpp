#include "kernels/core/format_units.h"

#include <gtest/gtest.h>

#include <cmath>

namespace convscope {
namespace {

TEST(FormatUnits, times_have_three_digits_and_the_unit_that_fits) {
    EXPECT_EQ(format_time_us(4.2096), "4.21 us");
    EXPECT_EQ(format_time_us(0.85), "850 ns");
    EXPECT_EQ(format_time_us(107.6), "108 us");
    EXPECT_EQ(format_time_us(1200), "1.20 ms");
    EXPECT_EQ(format_time_us(2.5e6), "2.50 s");
    EXPECT_EQ(format_time_us(9.996), "10.0 us");
    EXPECT_EQ(format_time_us(999.6), "1.00 ms");  // never '1000 us'
    EXPECT_EQ(format_time_us(0), "0 ns");
    EXPECT_EQ(format_digits(1.56e-12), "1.56e-12");
    EXPECT_EQ(format_digits(-1.2345e9), "-1.23e+09");
    EXPECT_EQ(format_time_us(NAN), "NaN");
}

TEST(FormatUnits, bytes_go_in_steps_of_a_thousand) {
    EXPECT_EQ(format_bytes(512), "512 B");
    EXPECT_EQ(format_bytes(9'400'000), "9.4 MB");
    EXPECT_EQ(format_bytes(1'000), "1 kB");
    EXPECT_EQ(format_bytes(123'456'789), "123 MB");
    EXPECT_EQ(format_bytes(99'940'000), "99.9 MB");
    EXPECT_EQ(format_bytes(100'060'000), "100 MB");
    EXPECT_EQ(format_bytes(80'000'000'000), "80 GB");
    EXPECT_EQ(format_bytes(0), "0 B");
    EXPECT_EQ(format_bytes(9.97e6), "10 MB");
    EXPECT_EQ(format_bytes(999.9e9), "1 TB");  // never '1000 GB'
    EXPECT_EQ(format_bytes(3e18), "3 EB");     // more than an integer holds
}

TEST(FormatUnits, flop_prefer_the_larger_unit) {
    EXPECT_EQ(format_flop(162), "0.162 kFLOP");
    EXPECT_EQ(format_flop(54), "54 FLOP");
    EXPECT_EQ(format_flop(0.139e9), "0.139 GFLOP");
    EXPECT_EQ(format_flop(29.6e9), "29.6 GFLOP");
    EXPECT_EQ(format_flop(-INFINITY), "-infinite");
}

TEST(FormatUnits, shares_keep_a_digit_near_their_ends) {
    EXPECT_EQ(format_percent(0.63), "63 %");
    EXPECT_EQ(format_percent(0.004), "0.4 %");
    EXPECT_EQ(format_percent(0.998), "99.8 %");
    EXPECT_EQ(format_percent(1), "100 %");
    EXPECT_EQ(format_percent(0), "0 %");
}

TEST(FormatUnits, counts_stand_in_groups_of_three) {
    EXPECT_EQ(format_count(7), "7");
    EXPECT_EQ(format_count(999), "999");
    EXPECT_EQ(format_count(50176), "50 176");
    EXPECT_EQ(format_count(1234567), "1 234 567");
    EXPECT_EQ(format_count(-123456), "-123 456");
}

TEST(FormatUnits, one_is_no_plural) {
    EXPECT_EQ(counted(1, "layer"), "1 layer");
    EXPECT_EQ(counted(0, "layer"), "0 layers");
    EXPECT_EQ(counted(26504, "sample"), "26 504 samples");
}

TEST(FormatUnits, data_values_are_as_short_as_they_are_exact) {
    EXPECT_EQ(format_number(23), "23");
    EXPECT_EQ(format_number(-1.25), "-1.25");
    EXPECT_EQ(format_number(0.5), "0.5");
    EXPECT_EQ(format_number(-0.0), "0");
    EXPECT_EQ(format_number(12.3456789), "12.3457");
    EXPECT_EQ(format_number(1.23457e-5), "0.0000123457");  // never in scientific notation
    EXPECT_EQ(format_number(INFINITY), "infinite");
}

}  // namespace
}  // namespace convscope
