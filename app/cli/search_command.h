// convscope sweep --search: the fastest launch configuration of each method, instead of every one.
#pragma once

#include "app/cli/sweep_run.h"

namespace convscope::cli {

/// Returns the exit status. The workload, device and timing flags may be ranges: each of their points is searched.
int run_search(FlagValues, const SweepModes&);

}  // namespace convscope::cli
