// The kernel that simt_speed runs, in both dialects of the host's compiler.
#pragma once

#include <functional>

namespace convscope::bench {

/// Runs the kernel once; returns its accesses to memory.
using Run = std::function<double()>;

Run unchecked();
Run checked(bool uninitialised, bool races);

}  // namespace convscope::bench
