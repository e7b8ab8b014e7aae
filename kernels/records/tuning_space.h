// Rows as an auto-tuner sees them: one method on one workload, at many launch configurations.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "kernels/records/record.h"

namespace convscope {

/// A row with its configuration: a value for each of the space's parameters.
struct TuningPoint {
    Record record;
    std::vector<std::int64_t> values;
};

struct TuningSpace {
    std::vector<std::string> parameters;  ///< "block_size_x", a tunable's name
    std::vector<TuningPoint> points;      ///< no two with the same values
};

struct TuningSpaces {
    std::vector<TuningSpace> spaces;  ///< in the order of their first rows
    std::size_t left_out = 0;         ///< rows that were cancelled, or that lack a parameter which others have
};

/// One space per method, device and workload of the rows. Its parameters are the method's tunables, the block where
/// every row has one or it differs between them, and the grid where nothing else tells two rows apart. The later of two
/// rows of one configuration counts.
TuningSpaces tuning_spaces(const std::vector<Record>&);

}  // namespace convscope
