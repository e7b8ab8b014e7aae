// An image that a panel wants.
#pragma once

#include <memory>
#include <string>

namespace convscope::app {

struct PlotToSave;

/// A picture that is wanted as a file, or on the clipboard, taken when the next frame has been drawn.
struct ImageRequest {
    enum class What {
        window,  ///< as it is on the screen, pixel by pixel
        view,    ///< without the side panels
        figure
    };
    What what = What::window;
    std::string path = {};                        ///< PNG or SVG by its ending; empty: a PNG goes to the clipboard
    std::string title = {};                       ///< of the figure
    std::shared_ptr<const PlotToSave> plot = {};  ///< a figure that is a plot; null: the figure is on the screen
    std::string caption = {};                     ///< below a view or a figure of the screen, in lines
    double scale = 2;                             ///< pixels of a PNG to one of the screen
    bool paper = true;                            ///< on the light theme, whatever is on the screen

    /// A frame is drawn for it alone, with other edges and colours.
    bool drawn_anew() const { return what != What::window && !plot; }
};

}  // namespace convscope::app
