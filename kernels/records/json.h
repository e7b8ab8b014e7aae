// Records as JSON: everything the CSV has, and what does not fit a cell (samples, stages, intervals).
#pragma once

#include <string>
#include <vector>

#include "kernels/records/record.h"

namespace convscope {

/// An array of objects, keys as the CSV's columns. What does not apply is null; NaN and infinity are null, too.
std::string to_json(const std::vector<Record>&);

}  // namespace convscope
