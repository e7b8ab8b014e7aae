// The clock that times methods and ends sampling. Tests replace it, so that their outcome does not depend on how busy
// the machine is.
#pragma once

#include <atomic>
#include <chrono>

namespace convscope {

inline std::chrono::nanoseconds steady_time() {
    return std::chrono::steady_clock::now().time_since_epoch();
}

struct MeasuringClock {
    using duration = std::chrono::nanoseconds;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<MeasuringClock>;
    static constexpr bool is_steady = true;

    static time_point now() { return time_point(source.load(std::memory_order_relaxed)()); }
    inline static std::atomic<duration (*)()> source{&steady_time};
};

}  // namespace convscope
