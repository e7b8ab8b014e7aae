// Reads the device's clocks while it is being measured: between samples, and not too often.
#pragma once

#include <chrono>

#include "kernels/core/measuring_clock.h"
#include "kernels/measure/statistics.h"
#include "kernels/method/device.h"

namespace convscope {

class ClockWatch {
public:
    explicit ClockWatch(Device& device) : device_(device) {}

    /// Reads the SM clock when the last reading is old enough, and returns it; empty otherwise.
    std::optional<double> look();
    /// The median of the clocks read; 'throttled' when any reading saw throttling. Empty where the device reports
    /// nothing.
    ClockState state() const;

private:
    using Clock = MeasuringClock;
    static constexpr std::chrono::milliseconds interval{200};  // an answer of the driver may take a millisecond

    Device& device_;
    std::optional<Clock::time_point> last_;
    SortedSamples mhz_;
    std::optional<bool> throttled_;
};

}  // namespace convscope
