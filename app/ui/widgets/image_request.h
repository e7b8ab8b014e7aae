// An image of the screen that a panel wants.
#pragma once

#include <string>

namespace convscope::app {

/// A rectangle of the screen that is wanted as a PNG, taken when the frame has been drawn.
struct ImageRequest {
    std::string path = {};  ///< empty: it goes to the clipboard
    bool view = false;      ///< the view without the panels beside it: where that is, the shell knows
    float x = 0, y = 0, width = 0, height = 0;  ///< pixels; width 0: the whole window
};

}  // namespace convscope::app
