#include "kernels/measure/disturbance_watch.h"

#include <fmt/format.h>
#include <time.h>

#include <cmath>
#include <utility>

namespace convscope {
namespace {

double seconds_of(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// The two clocks are read one after the other; a thread may lose the processor in between.
constexpr double min_sleep_s = 0.2;

}  // namespace

double seconds_asleep() {
    const double awake = seconds_of(CLOCK_MONOTONIC);
    return seconds_of(CLOCK_BOOTTIME) - awake;
}

std::optional<std::string> SleepWatch::look() {
    const double before = last_;
    const double now = asleep_();
    // A reading that was too high because the thread was interrupted must not hide a sleep that follows.
    last_ = now;
    if (now - before < min_sleep_s) return std::nullopt;
    return fmt::format("the machine was suspended for {:.1f} s", now - before);
}

std::optional<std::string> ClockJumps::look(double sm_mhz) {
    const std::optional<double> before = std::exchange(last_, sm_mhz);
    if (!before || std::abs(sm_mhz - *before) <= tolerated * *before || changes_ >= most) return std::nullopt;
    ++changes_;
    return fmt::format("the SM clock went from {:.0f} to {:.0f} MHz", *before, sm_mhz);
}

}  // namespace convscope
