#include "app/desktop/frame_times.h"

#include <gtest/gtest.h>

namespace convscope::app {
namespace {

TEST(FrameTimes, the_first_frame_says_nothing_of_the_later_ones) {
    FrameTimes times;
    EXPECT_EQ(times.median(), 0);
    times.add(461.7);
    times.add(8);
    EXPECT_EQ(times.median(), 0) << "too few";
    times.add(9);
    EXPECT_EQ(times.median(), 9);
    times.add(8);
    times.add(8);
    EXPECT_EQ(times.median(), 8);
}

TEST(FrameTimes, follows_what_lasts) {
    FrameTimes times;
    for (int i = 0; i < 100; ++i) times.add(8);
    times.add(300);
    EXPECT_EQ(times.median(), 8);
    for (int i = 0; i < 8; ++i) times.add(20);
    EXPECT_EQ(times.median(), 20);
}

}  // namespace
}  // namespace convscope::app
