// Measures the time since its construction.
#pragma once

#include <chrono>

#include "kernels/core/measuring_clock.h"

namespace convscope {

class Stopwatch {
public:
    double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
    double microseconds() const { return 1e6 * seconds(); }

private:
    using Clock = MeasuringClock;
    Clock::time_point start_ = Clock::now();
};

}  // namespace convscope
