// What one run of a method costs the simulated GPU: its currency, for it has no clock.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>

#include "kernels/core/launch.h"
#include "kernels/core/workload.h"

namespace convscope {

/// Sums over every block of every launch. Work on the weights that is done once is not in them.
struct RunCost {
    std::int64_t multiplications = 0;  ///< of single threads
    std::int64_t instructions = 0;     ///< of warps: loads, stores, atomics and multiply-adds; no index arithmetic
    std::int64_t requests = 0;         ///< of warps, to global memory
    std::int64_t sectors = 0;          ///< of 32 bytes, that these move
    std::int64_t bank_conflicts = 0;   ///< passes over shared memory beyond one a request
};

/// Runs the method once with every access watched. Throws Error(usage), with the reason, for what cannot be counted:
/// a method whose products a library does, or a run of more than 'max_steps'; simt::Finding where a check ends it.
RunCost count_run(const std::string& method, const LaunchConfig&, const Workload&, const std::stop_token&,
                  std::size_t max_steps = 20'000'000);

}  // namespace convscope
