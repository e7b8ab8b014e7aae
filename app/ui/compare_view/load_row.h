// A row's workload and launch configuration, put into the panels.
#pragma once

#include <string>

#include "app/compare/compare_data.h"
#include "app/session/session.h"

namespace convscope::app {

/// Sets layer, zeros, seed, scope and cache as the row has them, and method, block, grid and tunables where the chosen
/// device's launch panel can show that method. Returns what is in the panels now and what was not taken over, or why
/// the row cannot be loaded, in words.
std::string load_row(Session&, const Registry&, const CompareData&, std::size_t row);

}  // namespace convscope::app
