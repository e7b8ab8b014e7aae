// A sweep on the command line: rows into files, tables on stdout, one line of progress on stderr.
#pragma once

#include "app/cli/outputs.h"
#include "app/request/flags.h"
#include "app/sweep/shard.h"

namespace convscope::cli {

struct SweepModes {
    bool resume = false;   ///< skip what the CSV already has
    bool quiet = false;    ///< no tables on stdout
    bool missing = false;  ///< measure nothing: list what the CSV lacks
    Shard shard;           ///< which of the points
    std::string search;    ///< all, random or local: only the fastest launch configurations are wanted
    std::string points;    ///< at most so many are measured in a search
    bool isolate = false;  ///< measure in a process of its own on every device
};

/// Returns the exit status. Every flag of every point is read before the first measurement, so that a mistake in a
/// late point costs nothing. A shape or a launch that cannot be becomes a row (invalid_config), not an error.
int run_sweep(FlagValues, const SweepModes&);

}  // namespace convscope::cli
