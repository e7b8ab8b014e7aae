// A run on the simulated GPU whose every access is watched.
#pragma once

#include <optional>
#include <stop_token>

#include "kernels/method/method.h"
#include "kernels/simt/finding.h"

namespace convscope {

/// Runs a method once on the device of a CheckedDevice, with what its checker is set to, and returns what was found
/// wrong, if anything was. With CheckOptions::only_recorded the run ends with the recorded block.
/// Throws Error(failed) when stopped before the first kernel; CheckOptions::stop is for what follows.
std::optional<simt::Finding> run_watched(Execution&, const Workload&, const std::stop_token& = {});

}  // namespace convscope
