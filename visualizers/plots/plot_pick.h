// What of a plot is at a place, and what is inside a rectangle: pointing, clicking and brushing.
#pragma once

#include "visualizers/plots/plot_layout.h"

namespace convscope {

struct PlotPick {
    PlotRow row = no_row;
    std::string words;  ///< lines to read out; empty: nothing is there
    double x = 0, y = 0;
};

/// The mark nearest to (x, y), within some pixels of it; the cell there; the line of parallel coordinates there.
PlotPick pick(const Plot&, const PlotState&, const PlotLayout&, const PlotLook&, double x, double y);

/// Rows with a mark, a cell or a crossing of a parallel axis inside the box.
std::vector<PlotRow> rows_in(const Plot&, const PlotState&, const PlotLayout&, const CanvasBox&);

}  // namespace convscope
