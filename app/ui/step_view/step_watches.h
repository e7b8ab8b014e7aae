// Expressions that a user watches while a kernel is stepped through: their value in the chosen thread, and in every
// lane where they are pointed at.
#pragma once

#include <string>

#include "app/session/session.h"
#include "app/ui/step_view/step_cards.h"

namespace convscope::app {

class StepWatches {
public:
    /// Draws in the present width. 'second' is the kernel next to it; null where there is none.
    void draw(StepChoice&, const StepPosition& first, const StepPosition* second);

private:
    std::string typed_;
};

/// The value of an expression in each lane of the warp that has the side's present step.
LaneValues watched(const StepPosition&, const std::string& expression);

}  // namespace convscope::app
