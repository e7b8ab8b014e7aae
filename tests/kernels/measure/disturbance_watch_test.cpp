#include "kernels/measure/disturbance_watch.h"

#include <gtest/gtest.h>

namespace convscope {
namespace {

TEST(SleepWatch, tells_a_sleep_from_a_waking_machine) {
    double asleep = 100;
    SleepWatch watch([&] { return asleep; });
    EXPECT_FALSE(watch.look());
    asleep += 0.01;
    EXPECT_FALSE(watch.look()) << "reading two clocks takes time";
    asleep += 90;
    EXPECT_EQ(watch.look(), "the machine was suspended for 90.0 s");
    EXPECT_FALSE(watch.look()) << "once";
    SleepWatch real;
    EXPECT_FALSE(real.look());
}

TEST(ClockJumps, small_steps_are_not_jumps) {
    ClockJumps jumps;
    EXPECT_FALSE(jumps.look(1980));
    EXPECT_FALSE(jumps.look(1935));
    EXPECT_EQ(jumps.look(1410), "the SM clock went from 1935 to 1410 MHz");
    EXPECT_FALSE(jumps.look(1410));
}

TEST(ClockJumps, a_clock_that_never_settles_is_what_the_device_does) {
    ClockJumps jumps;
    int seen = 0;
    for (int i = 0; i < 20; ++i) seen += jumps.look(i % 2 == 0 ? 1000 : 2000).has_value() ? 1 : 0;
    EXPECT_EQ(seen, 3);
}

}  // namespace
}  // namespace convscope
