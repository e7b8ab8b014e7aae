// The line at the bottom, in every state of a live measurement.
#include "app/ui/shell/status_line.h"

#include <gtest/gtest.h>

#include "kernels/measure/sample_counts.h"

namespace convscope::app {
namespace {

LiveSnapshot with_a_result() {
    LiveSnapshot live;
    Record record;
    record.method = "ecr1";
    record.status = Status::passed;
    record.time_median_us = 4.21;
    live.series.emplace_back().latest = record;
    live.series.back().method = record.method;
    return live;
}

TEST(StatusLine, says_over_what_and_in_which_precision_a_ratio_is) {
    LiveSnapshot live = with_a_result();
    live.series[0].latest->speedup_vs_vendor = 0.44;
    live.series[0].latest->vendor_method = "cudnn";
    live.series[0].latest->dtype = "fp32";
    EXPECT_EQ(live_status(live, true), "fastest: ecr1 4.21 us") << "no ratio without an interval";
    live.series[0].latest->speedup_interval = {0.43, 0.45};
    EXPECT_EQ(live_status(live, true), "fastest: ecr1 4.21 us  ·  0.44x cudnn FP32");
    live.series[0].latest->speedup_interval = {0.2, 1.5};
    EXPECT_EQ(live_status(live, true), "fastest: ecr1 4.21 us  ·  0.20x to 1.50x cudnn FP32");
}

TEST(StatusLine, says_what_there_is_and_ends_in_no_dot) {
    LiveSnapshot live = with_a_result();
    EXPECT_EQ(live_status(live, true), "fastest: ecr1 4.21 us") << "no sample has been looked at yet";
    EXPECT_EQ(live_status(live, false), "");
    live.running = true;
    EXPECT_EQ(live_status(live, true), "fastest: ecr1 4.21 us") << "and no phase";
    live.phase = "sampling";
    EXPECT_EQ(live_status(live, true), "sampling  ·  fastest: ecr1 4.21 us");
    EXPECT_EQ(live_status(live, false), "sampling");
    live.series.back().timing.samples = 240;
    live.series.back().latest->verified_against = "reference";
    EXPECT_EQ(live_status(live, true).rfind("sampling  ·  fastest: ecr1 4.21 us  ·  verified  ·  ", 0), 0U)
        << live_status(live, true);
}

TEST(StatusLine, says_why_there_is_no_time) {
    LiveSnapshot live;
    for (const char* id : {"ecr3", "im2col"}) {
        LiveSeries& series = live.series.emplace_back();
        series.method = id;
        set_too_busy(series.latest.emplace(), {0, 5});
    }
    const std::string ecr3 = "ecr3: Too busy: 5 of 5 samples waited for a core";
    EXPECT_EQ(live_status(live, true), ecr3 + ";  im2col: Too busy: 5 of 5 samples waited for a core");
    EXPECT_EQ(live_status(live, false), "");
    LiveSnapshot some = with_a_result();
    some.series[0].timing.samples = 240;
    some.series.push_back(live.series[0]);
    EXPECT_EQ(live_status(some, true), "fastest: ecr1 4.21 us  ·  0 of 1 settled at ±1 %;  " + ecr3);
}

}  // namespace
}  // namespace convscope::app
