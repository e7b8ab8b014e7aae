// The kernel that simt_speed runs, in both dialects of the host's compiler.
#pragma once

#include <functional>

namespace convscope::bench {

/// Runs the kernel once; returns its accesses to memory.
using Run = std::function<double()>;

Run unchecked();
Run checked(bool uninitialised, bool races);

/// Traces the first block of ecr1 on a 14x14 map, 3x3, from a new device to the cost of each request.
void trace_ecr1();

/// Milliseconds of CPU time.
struct ReplayTimes {
    double built;  ///< the same block traced and made a replay
    double state;  ///< its state at a random moment, the most of many
};
ReplayTimes replay_ecr1();

}  // namespace convscope::bench
