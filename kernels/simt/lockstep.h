// The threads of a warp side by side, as the hardware runs them.
#pragma once

#include <vector>

#include "kernels/simt/trace.h"

namespace convscope::simt {

/// One instruction of one warp: what its active lanes did at once.
struct WarpStep {
    unsigned warp = 0;
    unsigned phase = 0;                    ///< barriers of the block that lie before it
    std::vector<const TraceEvent*> lanes;  ///< one for each active lane, in the order of the lanes
};

/// The accesses and multiply-adds of every warp. The executor ran the lanes one after the other; here, lanes that are
/// at the same instruction of the same iteration of every loop around it execute it together, and lanes that are
/// behind go first: a warp whose lanes diverge comes together again where the branch or the loop ends.
std::vector<WarpStep> in_lockstep(const BlockTrace&);

/// The same with barriers and warp-wide operations among them.
std::vector<WarpStep> in_lockstep_with_waits(const BlockTrace&);

}  // namespace convscope::simt
