// A row's workload and launch configuration, put into the panels.
#pragma once

#include <string>

#include "app/compare/compare_data.h"
#include "app/session.h"

namespace convscope::app {

/// Sets layer, zeros, seed, method, block, grid, tunables, scope and cache as the row has them. Returns what was done,
/// or why it cannot be, as a sentence.
std::string load_row(Session&, const Registry&, const CompareData&, std::size_t row);

}  // namespace convscope::app
