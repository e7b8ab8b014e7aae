// In place of the clock that methods are timed by, as long as it lives: time passes when a test says so.
#pragma once

#include <atomic>
#include <cstdint>

#include "kernels/core/measuring_clock.h"

namespace convscope::testing {

class FakeClock {
public:
    FakeClock() { MeasuringClock::source = &read; }
    ~FakeClock() { MeasuringClock::source = &steady_time; }
    FakeClock(const FakeClock&) = delete;
    FakeClock& operator=(const FakeClock&) = delete;

    static void advance(std::chrono::nanoseconds time) { now_ += time.count(); }

private:
    static std::chrono::nanoseconds read() { return std::chrono::nanoseconds(now_.load()); }
    inline static std::atomic<std::int64_t> now_{0};
};

}  // namespace convscope::testing
