// The bar under the Step view: back, forward, barriers, play, speed, and a scale of all steps to scrub on.
#pragma once

#include <span>

#include "app/ui/step_view/step_player.h"
#include "app/ui/widgets/frame.h"

namespace convscope::app {

/// The speed that was picked; where none was, 4 steps a second, and 1 with reduced motion.
double steps_per_second(const Session&);

class StepTransport {
public:
    /// 'tracks' belong to the session's sides, in their order.
    void draw(Frame&, std::span<const StepTrack> tracks);
    static float height();  ///< px

private:
    void buttons(Session&);
    void scale(Session&, std::span<const StepTrack> tracks, float width);
};

}  // namespace convscope::app
