// Moves through the steps of one replay, or of two together: by a step, to a barrier, by playing on.
#pragma once

#include <cstddef>
#include <span>

#include "app/session/session.h"
#include "kernels/simt/replay.h"

namespace convscope::app {

/// A replay that is stepped through, and where breakpoints stop it.
struct StepTrack {
    const simt::Replay* replay = nullptr;  ///< null where nothing is traced yet
    std::span<const std::size_t> stops{};  ///< numbers of steps done, ascending
};

class StepPlayer {
public:
    /// Moves the choice's sides, to which 'tracks' belong in their order, or begins or ends playing. A side that is
    /// beyond its end, as while another trace is being made, stays where it is until it is moved.
    void take(std::optional<StepMove>, StepChoice&, bool& playing, std::span<const StepTrack> tracks);
    /// Plays on for 'seconds'. Each side goes its own number of steps, and stops at its end; all of them stop where one
    /// comes to a breakpoint.
    void advance(StepChoice&, bool& playing, std::span<const StepTrack> tracks, double seconds,
                 double steps_per_second);

private:
    double owed_ = 0;  ///< steps that playing has earned and not taken
};

/// Every side goes to this step, or to its end.
void scrub_to(StepChoice&, std::span<const StepTrack> tracks, std::size_t done);

}  // namespace convscope::app
