// The tour of the first run: six stops in a minute, each a part of the window and a sentence or two. It holds nothing
// up: everything works while it is on. Esc or 'Skip' ends it, and it does not come back by itself.
#pragma once

#include <imgui.h>

#include "app/panels/frame.h"

namespace convscope::app {

inline constexpr int tour_stops = 6;

/// Where the parts of the window are, in pixels.
struct Regions {
    struct Box {
        ImVec2 min{0, 0}, max{0, 0};
    };
    Box toolbar, left, view, live, right, status;
};

class FirstTour {
public:
    void draw(Frame&, const Regions&);
};

}  // namespace convscope::app
