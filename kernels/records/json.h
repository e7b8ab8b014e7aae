// Records as JSON: all columns of the CSV, and the fields that do not fit a cell (samples, stages, intervals).
#pragma once

#include <string>
#include <vector>

#include "kernels/records/record.h"

namespace convscope {

/// An array of objects whose keys are the CSV's columns. Fields that do not apply are null; NaN and infinity are null,
/// too.
std::string to_json(const std::vector<Record>&);

}  // namespace convscope
