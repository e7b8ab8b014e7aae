// The table of the live measurement.
#pragma once

#include "app/ui/widgets/live_words.h"

namespace convscope::app {

/// Without the quartiles and the status, which then stands in the place of the error of a run that failed; and without
/// noise and ratio. No time stands without its error.
enum class MeasurementColumns { all, compact, brief };

/// Begins a scrolling table with its header row; the first column is the caller's. False: draw nothing.
bool begin_measurement_table(const char* id, MeasurementColumns, const TimeUnit&);
/// Median, quartiles, noise, ratio to the vendor or why there is none, error against the reference, status: the rest of
/// the row of a series that has a record. Under the noise, the interval of the median against the requested one; a tick
/// where it has settled.
void measurement_cells(const LiveSeries&, const MissingRatio&, double requested_noise_pct, MeasurementColumns,
                       const TimeUnit&);
/// With the caller's.
int measurement_columns(MeasurementColumns);

}  // namespace convscope::app
