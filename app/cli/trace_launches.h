// convscope trace --whole-launch: what each launch of a run cost in all, as JSON. docs/trace.md explains the fields.
#pragma once

#include "kernels/core/method.h"
#include "kernels/simt/on_checked/checked_device.h"

namespace convscope::cli {

/// Runs the method once, every block of every launch counted, and prints the sums. Returns the exit status; throws
/// simt::Finding, with nothing printed, when a check ends the run.
int trace_launches(const Method&, const WorkloadSpec&, const LaunchConfig&, CheckedDevice&);

}  // namespace convscope::cli
