#include "app/session/sweep_choice.h"

namespace convscope::app {

std::optional<RunCount> count_of(SweepMetric metric) {
    const int place = static_cast<int>(metric) - sweep_timed_count;
    return place < 0 ? std::nullopt : std::optional(static_cast<RunCount>(place));
}

const char* to_string(SweepMetric metric) {
    constexpr const char* timed[sweep_timed_count] = {"time", "speed-up", "GFLOP/s"};
    const std::optional<RunCount> count = count_of(metric);
    return count ? to_string(*count) : timed[static_cast<int>(metric)];
}

const char* to_string(SweepPane pane) {
    constexpr const char* names[] = {"All", "Lines", "Map", "Occupancy", "Parallel"};
    return names[static_cast<int>(pane)];
}

}  // namespace convscope::app
