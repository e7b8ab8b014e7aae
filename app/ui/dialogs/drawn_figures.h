// The figures of the present frame, each of which can be saved and copied by itself: arrays with their titles,
// formulas, plots.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "visualizers/plots/plot_files.h"
#include "visualizers/style/control_hook.h"
#include "visualizers/style/picture_items.h"

namespace convscope::app {

/// A plot as it is in a file, where it is drawn from its data and not as it is on the screen.
struct PlotToSave {
    std::string file;  ///< tells its files apart: "sweep-lines" in "convscope.sweep-lines.svg"
    Plot plot;         ///< with its title and what it is of
    PlotState state;
    PlotPage page;
    PlotEmphasis emphasis;
    std::vector<bool> chosen;           ///< what the emphasis refers to
    std::function<std::string()> data;  ///< as CSV
};

struct DrawnFigure {
    std::string title;   ///< as it stands at the figure; the second of a name is "x (2)"
    std::string window;  ///< the panel that it is in
    CanvasBox box;       ///< what of it is in sight, on the screen
    bool is_plot = false;
    ArrayColours colours = {};                      ///< of an array's cells
    std::shared_ptr<const PlotToSave> plot = {};    ///< where somebody wants it; null otherwise
    PictureRequest request = PictureRequest::none;  ///< chosen in its own menu, in this frame
    std::string part = {};                          ///< how much of it is in sight, as a sentence; empty: all
    bool grows = false;                             ///< its picture has all of it, whatever is in sight
};

/// At the begin of a frame: none is drawn yet. From then on, whoever calls figure_hook notes one.
void begin_figures();
/// From the next frame on: the title of the figure whose picture that frame is for; empty: none.
void begin_picture_of(const std::string& title);
/// Whether the present frame is for the picture of this figure. One that 'grows' is then drawn whole, beyond all
/// windows.
bool is_picture_of(const std::string& title);
/// One in the present window. Nothing where it is out of sight.
void note_figure(DrawnFigure);
/// Those of this frame, in the order in which they were drawn.
const std::vector<DrawnFigure>& drawn_figures();
/// Null where there is none, or none any more.
const DrawnFigure* find_figure(const std::string& title);
/// The one under the pointer; null where there is none, or something lies over it.
const DrawnFigure* pointed_figure();

}  // namespace convscope::app
