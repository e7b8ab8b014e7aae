// Live timing as a plot: for each method a strip of its samples on one scale, and their median in the bands of its
// interval and its quartiles.
#pragma once

#include <vector>

#include "kernels/measure/live_series.h"
#include "kernels/method/registry.h"
#include "visualizers/plots/plot.h"

namespace convscope::app {

/// Where the processor is too busy for any time its hint says so; otherwise it has none.
Plot timing_plot(const std::vector<LiveSeries>&, const Registry&, DeviceKind);

}  // namespace convscope::app
