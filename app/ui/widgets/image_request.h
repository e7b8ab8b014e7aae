// An image of the screen that a panel wants.
#pragma once

#include <string>

namespace convscope::app {

/// A rectangle of the screen that is wanted as a file, or on the clipboard, taken when the frame has been drawn.
struct ImageRequest {
    std::string path = {};  ///< empty: it goes to the clipboard
    bool view = false;  ///< the view without the panels beside it: where that is, the shell knows. A file of it, PNG or
                        ///< SVG by its ending, is drawn anew, as large as is wanted
    std::string about = {};                     ///< below a view: what it is of
    float x = 0, y = 0, width = 0, height = 0;  ///< pixels; width 0: the whole window
};

}  // namespace convscope::app
