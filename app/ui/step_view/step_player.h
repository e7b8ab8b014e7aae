// Moves through the steps of one replay, or of two together: by a step, to a barrier, by playing on.
#pragma once

#include <cstddef>
#include <span>

#include "app/session/session.h"
#include "kernels/simt/replay.h"

namespace convscope::app {

class StepPlayer {
public:
    /// Takes the move that was requested, and plays on for 'seconds'. 'replays' belong to choice.sides, in their
    /// order; null where nothing is traced yet. Each goes its own number of steps, and stops at its end. A side that is
    /// beyond it, as while another trace is being made, stays where it is until it is moved.
    void advance(StepChoice&, std::span<const simt::Replay* const> replays, double seconds);

private:
    double owed_ = 0;  ///< steps that playing has earned and not taken
};

/// Every side goes to this step, or to its end.
void scrub_to(StepChoice&, std::span<const simt::Replay* const> replays, std::size_t done);

}  // namespace convscope::app
