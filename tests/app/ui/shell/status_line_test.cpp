// The line at the bottom, in every state of a live measurement.
#include "app/ui/shell/status_line.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace convscope::app
