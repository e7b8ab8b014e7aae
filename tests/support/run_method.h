// Runs a method once, as a measurement would before it times anything.
#pragma once

#include "kernels/core/device.h"
#include "kernels/core/method.h"

namespace convscope::testing {

/// Sets up, allocates, uploads, poisons the output, runs and downloads. Returns y as NCHW.
Tensor run_method(const Method&, const Workload&, Device&, const LaunchConfig& = {});

}  // namespace convscope::testing
