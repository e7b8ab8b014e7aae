// The metrics of the sweep's plots: times, or on the simulated GPU, which has no clock, counts.
#pragma once

#include <optional>
#include <vector>

#include "app/session/sweep_choice.h"
#include "kernels/measure/run_counts.h"
#include "visualizers/plots/plot.h"

namespace convscope::app {

/// Those that rows of such a device have.
std::vector<SweepMetric> metrics_of(bool simulated);
/// The chosen one where such rows have it, else the first that they have.
SweepMetric metric_for(SweepMetric chosen, bool simulated);
/// NaN where the row has none.
double value_of(SweepMetric, const Record&);
/// An axis without a range.
PlotScale scale_of(SweepMetric);
bool less_is_better(SweepMetric);

}  // namespace convscope::app
