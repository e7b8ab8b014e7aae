#include "kernels/measure/record_times.h"

#include <gtest/gtest.h>

namespace convscope {
namespace {

Record with_median(double median_us, std::size_t runs = 1) {
    TimingSummary timing;
    timing.median_us = median_us;
    timing.samples = 9;
    timing.runs = runs;
    Record record;
    record.flops_dense = 3e6;
    set_times(record, timing);
    return record;
}

TEST(RecordTimes, rates_are_of_the_dense_work_and_of_the_fewest_bytes_in_the_median) {
    const Record record = with_median(0.5);
    EXPECT_EQ(record.samples, 9);
    EXPECT_DOUBLE_EQ(record.gflops.value(), 6000);
    EXPECT_DOUBLE_EQ(record.gb_per_s.value(), static_cast<double>(record.shape.min_bytes()) / 500);
}

TEST(RecordTimes, a_time_below_the_clocks_step_has_no_rate) {
    const Record record = with_median(0);
    EXPECT_EQ(record.time_median_us, 0);
    EXPECT_FALSE(record.gflops || record.gb_per_s);
}

TEST(RecordTimes, are_taken_back_whole) {
    Record record = with_median(0.5);
    record.speedup_vs_vendor = 2;
    record.speedup_interval = {1, 3};
    record.samples_us = {0.5};
    clear_times(record);
    EXPECT_FALSE(record.time_median_us || record.time_mean_us || record.time_min_us || record.time_q1_us ||
                 record.time_q3_us || record.noise_pct || record.gflops || record.gb_per_s ||
                 record.speedup_vs_vendor || record.speedup_interval);
    EXPECT_TRUE(record.samples_us.empty() && record.noise_from.empty());
    EXPECT_EQ(record.samples, 0);
}

TEST(RecordTimes, say_what_the_noise_is_from) {
    EXPECT_EQ(with_median(1).noise_from, "samples");
    EXPECT_EQ(with_median(1, 2).noise_from, "runs");
}

}  // namespace
}  // namespace convscope
