// Runs a method once, as a measurement would before it times anything.
#pragma once

#include "kernels/method/device.h"
#include "kernels/method/method.h"

namespace convscope::testing {

/// Takes an execution from setup() to download(), its output poisoned before the run.
void run_execution(Execution&, const Workload&);

/// Sets up, allocates, uploads, poisons the output, runs and downloads. Returns y as NCHW.
Tensor run_method(const Method&, const Workload&, Device&, const LaunchConfig& = {});

}  // namespace convscope::testing
