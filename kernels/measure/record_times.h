// The columns of a record that come from its samples.
#pragma once

#include "kernels/measure/statistics.h"
#include "kernels/records/record.h"

namespace convscope {

/// Fewer samples than this make no median worth the name.
inline constexpr std::size_t min_median_samples = 3;

/// The times, their number and the rates that follow from the median. 'samples' must not be empty.
void set_times(Record&, const SortedSamples&, std::optional<double> noise_pct);

}  // namespace convscope
