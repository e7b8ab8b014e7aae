// The tour of the first run: six stops in a minute, each a part of the window and a sentence or two. The mouse works
// everywhere while it is on; the keyboard is its own. Esc or 'Skip' ends it, and it does not come back by itself.
#pragma once

#include <imgui.h>

#include "app/ui/widgets/frame.h"

namespace convscope::app {

/// Where the parts of the window are, in pixels.
struct Regions {
    struct Box {
        ImVec2 min{0, 0}, max{0, 0};
    };
    Box toolbar, left, view, live, right, status;
};

/// While the tour has the keyboard: Enter or Right goes on, Left back, Esc ends it, Tab reaches its buttons, and no
/// other key does anything. False where the tour is not on, or something stands above it.
bool lead_first_tour(Frame&);

class FirstTour {
public:
    void draw(Frame&, const Regions&);
};

}  // namespace convscope::app
