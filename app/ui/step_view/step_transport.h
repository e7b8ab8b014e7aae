// The bar under the Step view: back, forward, barriers, play, speed, and a scale of all steps to scrub on.
#pragma once

#include <span>

#include "app/ui/widgets/frame.h"
#include "kernels/simt/replay.h"

namespace convscope::app {

class StepTransport {
public:
    /// 'replays' belong to the session's sides, in their order; null where nothing is traced yet.
    void draw(Frame&, std::span<const simt::Replay* const> replays);
    static float height();  ///< px

private:
    void buttons(StepChoice&);
    void scale(StepChoice&, std::span<const simt::Replay* const> replays, float width);
};

}  // namespace convscope::app
