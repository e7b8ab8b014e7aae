// The table of measured figures: the same columns for live rows and for rows of a file.
#pragma once

#include "kernels/measure/record.h"

namespace convscope::app {

/// Begins a scrolling table with its header row; the first column is the caller's. A compact one leaves out the
/// quartiles and the status, which then stands in the place of the error of a run that failed. False: draw nothing.
bool begin_figures(const char* id, bool compact);
/// Median, quartiles, noise, ratio to the vendor, error against the judge, status: the rest of a row.
void figures_cells(const Record&, bool compact);
/// With the caller's.
int figures_columns(bool compact);

}  // namespace convscope::app
