// The table of the live measurement.
#pragma once

#include "kernels/measure/live_series.h"

namespace convscope::app {

/// Without the quartiles and the status, which then stands in the place of the error of a run that failed; and without
/// noise and ratio. No time stands without its error.
enum class FigureColumns { all, compact, brief };

/// Begins a scrolling table with its header row; the first column is the caller's. False: draw nothing.
bool begin_figures(const char* id, FigureColumns);
/// Median, quartiles, noise, ratio to the vendor, error against the reference, status: the rest of the row of a series
/// that has a record. Under the noise, the interval of the median against the requested one; a tick where it has
/// settled.
void figures_cells(const LiveSeries&, double requested_noise_pct, FigureColumns);
/// With the caller's.
int figures_columns(FigureColumns);

}  // namespace convscope::app
