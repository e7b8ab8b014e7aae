// Draws a plot on any canvas: the screen and files have the same picture.
#pragma once

#include "visualizers/plots/plot_layout.h"

namespace convscope {

void draw_plot(Canvas&, const Plot&, const PlotState&, const PlotLayout&, const PlotLook&, const PlotEmphasis& = {});

/// The cell of the map at i (x) and j (y), in the canvas' units.
CanvasBox cell_box(const PlotLayout&, std::size_t i, std::size_t j);

}  // namespace convscope
