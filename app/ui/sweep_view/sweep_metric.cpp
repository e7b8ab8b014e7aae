#include "app/ui/sweep_view/sweep_metric.h"

#include <algorithm>
#include <limits>

#include "app/ui/sweep_view/sweep_rows.h"

namespace convscope::app {

std::vector<SweepMetric> metrics_of(bool simulated) {
    std::vector<SweepMetric> metrics;
    for (int i = simulated ? sweep_timed_count : 0; i < (simulated ? sweep_metric_count : sweep_timed_count); ++i)
        metrics.push_back(static_cast<SweepMetric>(i));
    return metrics;
}

SweepMetric metric_for(SweepMetric chosen, bool simulated) {
    if (count_of(chosen).has_value() == simulated) return chosen;
    return simulated ? SweepMetric::sectors : SweepMetric::time;
}

double value_of(SweepMetric metric, const Record& row) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    if (const std::optional<RunCount> count = count_of(metric))
        return row.status == Status::passed ? count_of(row, *count).value_or(none) : none;
    if (!is_timed(row)) return none;
    if (metric == SweepMetric::time) return *row.time_median_us;
    return (metric == SweepMetric::speedup ? row.speedup_vs_vendor : row.gflops).value_or(none);
}

PlotScale scale_of(SweepMetric metric) {
    switch (metric) {
        case SweepMetric::time:
            return {"time", "us", false, false, {}, {}};
        case SweepMetric::speedup:
            return {"speed-up over the vendor, same precision", "x", true, false, {}, {}};
        case SweepMetric::rate:
            return {"rate, dense", "GFLOP/s", false, true, {}, {}};
        case SweepMetric::of_dense:
            return {"multiplications over those of dense data", "x", false, true, {}, {}};
        case SweepMetric::occupancy:
            return {"occupancy", "%", false, true, {}, {}};
        default:
            return {to_string(metric), "", false, true, {}, {}};
    }
}

bool less_is_better(SweepMetric metric) {
    return metric == SweepMetric::time || (count_of(metric) && metric != SweepMetric::occupancy);
}

}  // namespace convscope::app
