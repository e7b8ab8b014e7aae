// The table of the live measurement.
#pragma once

#include "kernels/measure/live_series.h"

namespace convscope::app {

/// Begins a scrolling table with its header row; the first column is the caller's. A compact one leaves out the
/// quartiles and the status, which then stands in the place of the error of a run that failed. False: draw nothing.
bool begin_figures(const char* id, bool compact);
/// Median, quartiles, noise, ratio to the vendor, error against the reference, status: the rest of the row of a series
/// that has a record. Under the noise, the interval of the median against the requested one; a tick where it has
/// settled.
void figures_cells(const LiveSeries&, double requested_noise_pct, bool compact);
/// With the caller's.
int figures_columns(bool compact);

}  // namespace convscope::app
