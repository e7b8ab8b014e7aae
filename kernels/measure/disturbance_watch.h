// Detects outside disturbances that invalidate samples: a machine that slept, a clock that jumped.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace convscope {

/// Returns the seconds that this machine has been suspended since it started: CLOCK_BOOTTIME counts them,
/// CLOCK_MONOTONIC, which every timing here uses, does not.
double seconds_asleep();

class SleepWatch {
public:
    explicit SleepWatch(std::function<double()> asleep = seconds_asleep)
        : asleep_(std::move(asleep)), last_(asleep_()) {}
    /// Describes the sleep since the last call; empty when the machine was awake.
    std::optional<std::string> look();

private:
    std::function<double()> asleep_;
    double last_;
};

/// Compares each reading of the SM clock with the one before it. After 'most' changes they count as normal for this
/// device, so that a clock that never settles does not discard samples for ever.
class ClockJumps {
public:
    std::optional<std::string> look(double sm_mhz);

private:
    static constexpr double tolerated = 0.05;  // GPUs move by single percents with their temperature
    static constexpr int most = 3;

    std::optional<double> last_;
    int changes_ = 0;
};

}  // namespace convscope
