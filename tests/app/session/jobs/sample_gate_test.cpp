#include "app/session/jobs/sample_gate.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace convscope::app {
namespace {

using std::chrono::milliseconds;

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
    int frames = 0;
    for (; frames < 200; ++frames) {
        gate.begin_frame(milliseconds(1000));
        if (sampling) ++overlaps;
        std::this_thread::sleep_for(std::chrono::microseconds(100));
        if (sampling) ++overlaps;
        gate.end_frame();
    }
    stop = true;
    worker.join();
    EXPECT_EQ(overlaps, 0);
    EXPECT_EQ(gate.disturbed(), 0U);
    EXPECT_GE(samples, frames / 2);  // a busy interface leaves turns to the measurement
}

TEST(SampleGate, a_long_sample_does_not_hold_up_the_interface_and_is_counted) {
    SampleGate gate;
    gate.begin_sample();
    const auto start = std::chrono::steady_clock::now();
    gate.begin_frame(milliseconds(10));
    EXPECT_LT(std::chrono::steady_clock::now() - start, milliseconds(500));
    gate.end_frame();
    gate.end_sample();
    EXPECT_EQ(gate.disturbed(), 1U);
    EXPECT_EQ(gate.samples(), 1U);
}

}  // namespace
}  // namespace convscope::app
