// Sets the columns of a record that are computed from its samples.
#pragma once

#include "kernels/measure/timing_summary.h"
#include "kernels/records/record.h"

namespace convscope {

/// With fewer samples than this, a row is a timeout, whatever median it has.
inline constexpr std::size_t min_median_samples = 3;

/// Sets the times, their number, the noise and the rates that follow from the median.
void set_times(Record&, const TimingSummary&);
/// Clears the times, and the ratio computed from them.
void clear_times(Record&);

}  // namespace convscope
