#include "kernels/measure/clock_watch.h"

namespace convscope {

std::optional<double> ClockWatch::look() {
    const Clock::time_point now = Clock::now();
    if (last_ && now - *last_ < interval) return std::nullopt;
    last_ = now;
    const ClockState seen = device_.clock();
    if (seen.sm_mhz) mhz_.add(*seen.sm_mhz);
    if (seen.throttled) throttled_ = throttled_.value_or(false) || *seen.throttled;
    return seen.sm_mhz;
}

ClockState ClockWatch::state() const {
    ClockState state;
    if (!mhz_.empty()) state.sm_mhz = mhz_.median();
    state.throttled = throttled_;
    return state;
}

}  // namespace convscope
