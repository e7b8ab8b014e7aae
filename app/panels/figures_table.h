// The table of measured figures: the same columns for live rows and for rows of a file.
#pragma once

#include "kernels/measure/record.h"

namespace convscope::app {

/// Begins a scrolling table with its header row; the first column is the caller's. False: draw nothing.
bool begin_figures(const char* id);
/// Median, quartiles, noise, ratio to the vendor, error against the judge, status: the rest of a row.
void figures_cells(const Record&);

}  // namespace convscope::app
