// Places the names of lines that no legend names: at the line, where nothing else is drawn.
#pragma once

#include <string>
#include <vector>

#include "visualizers/plots/plot_layout.h"

namespace convscope {

struct PlacedNote {
    std::string text;
    CanvasBox box;
    CanvasPoint of;    ///< the place on the line
    bool led = false;  ///< the box is not at that height: a thin line leads there
};

/// Those that find room; of the others the line is named where it is pointed at.
std::vector<PlacedNote> place_notes(Canvas&, const Plot&, const PlotState&, const PlotLayout&, const PlotLook&);

}  // namespace convscope
