// A plot in the present ImGui window: it can be pointed at, zoomed, moved, brushed and saved.
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "visualizers/plots/plot_layout.h"
#include "visualizers/plots/plot_request.h"
#include "visualizers/style/picture_items.h"
#include "visualizers/style/view_style.h"

namespace convscope {

struct PlotResult {
    PlotRequest request = PlotRequest::none;  ///< chosen from the right-click menu
    PictureRequest picture = PictureRequest::none;
    float x = 0, y = 0, width = 0, height = 0;  ///< of the plot on the screen
    CanvasBox area;                             ///< of the data in it
    PlotRow hovered = no_row, clicked = no_row;
    std::vector<std::pair<PlotRow, CanvasBox>> rows;  ///< of a plot in rows: what of them is in sight
    std::optional<std::vector<PlotRow>> brushed;      ///< while Shift and a drag choose rows; empty clears them
};

/// Further text about a row that is pointed at; may be empty.
using DescribeRow = std::function<std::string(PlotRow)>;

/// Draws into the current window, 'width' x 'height' px (0: all that is left). The wheel zooms (Ctrl: x alone, Shift:
/// y alone), a drag moves, Shift and a drag brush, a double click shows everything.
PlotResult show_plot(const char* id, const Plot&, PlotState&, const ViewStyle&, const PlotEmphasis& = {},
                     const DescribeRow& = {}, float width = 0, float height = 0);

/// How wide it has to be for its names along x to stand side by side (plot_layout.h).
float width_for_names(const Plot&, const ViewStyle&);

}  // namespace convscope
