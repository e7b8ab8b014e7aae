// A search space whose times were measured before: what searches are compared by, and what the app shows of a
// recording.
#pragma once

#include <optional>
#include <vector>

#include "app/sweep/search_space.h"
#include "kernels/records/record.h"

namespace convscope {

/// The configuration that a record's row was measured with.
LaunchConfig launch_of(const Record&);

struct RecordedSpace {
    SearchSpace space;
    std::vector<double> times_us;  ///< median of each point
};

/// The passed rows, which are of one method on one workload. Rows of the same configuration count once, the latest.
RecordedSpace recorded_space(const std::vector<Record>&);

}  // namespace convscope
