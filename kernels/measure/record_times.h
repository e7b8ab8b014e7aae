// The columns of a record that come from its samples.
#pragma once

#include "kernels/measure/timing_summary.h"
#include "kernels/records/record.h"

namespace convscope {

/// Fewer samples than this make no median worth the name.
inline constexpr std::size_t min_median_samples = 3;

/// The times, their number, the noise and the rates that follow from the median.
void set_times(Record&, const TimingSummary&);
/// Takes them back, with the ratio that was made of them.
void clear_times(Record&);

}  // namespace convscope
