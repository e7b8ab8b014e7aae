// Counts what one run of a method costs the simulated GPU.
#pragma once

#include <cstddef>
#include <stop_token>
#include <string>

#include "kernels/core/launch.h"
#include "kernels/core/run_cost.h"
#include "kernels/layers/workload.h"

namespace convscope {

/// Runs the method once with every access watched. Throws Error(usage), with the reason, for what cannot be counted:
/// a method whose products a library does, or a run of more than 'max_steps'; simt::Finding where a check ends it.
RunCost count_run(const std::string& method, const LaunchConfig&, const Workload&, const std::stop_token&,
                  std::size_t max_steps = 20'000'000);

}  // namespace convscope
