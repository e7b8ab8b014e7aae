#include "app/session/jobs/sample_gate.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace convscope::app {
namespace {

TEST(SampleGate, never_lets_a_frame_into_a_sample_and_starves_neither) {
    SampleGate gate;
    std::atomic<bool> stop = false, sampling = false;
    std::atomic<int> samples = 0, overlaps = 0;
    std::thread worker([&] {
        while (!stop) {
            gate.begin_sample();
            sampling = true;
            std::this_thread::sleep_for(std::chrono::microseconds(200));
            sampling = false;
            ++samples;
            gate.end_sample();
        }
    });
    // It ends because a busy interface leaves turns to the measurement.
    for (int frames = 0; frames < 200 || samples < 100; ++frames) {
        gate.begin_frame(std::chrono::minutes(10));
        if (sampling) ++overlaps;
        std::this_thread::sleep_for(std::chrono::microseconds(100));
        if (sampling) ++overlaps;
        gate.end_frame();
    }
    stop = true;
    worker.join();
    EXPECT_EQ(overlaps, 0);
    EXPECT_EQ(gate.disturbed(), 0U);
}

TEST(SampleGate, a_long_sample_does_not_hold_up_the_interface_and_is_counted) {
    SampleGate gate;
    gate.begin_sample();
    gate.begin_frame(std::chrono::milliseconds(10));  // which comes back, though the sample goes on
    gate.end_frame();
    gate.end_sample();
    EXPECT_EQ(gate.disturbed(), 1U);
    EXPECT_EQ(gate.samples(), 1U);
}

}  // namespace
}  // namespace convscope::app
