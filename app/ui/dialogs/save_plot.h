// Does what a plot's right-click menu asks for: the picture and the data go to a file that the user is asked for,
// beginning with what the session's paths say; the command line to the clipboard. The session says what became of it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/session/session.h"
#include "app/ui/dialogs/file_dialogs.h"
#include "visualizers/plot_views/plot_view.h"
#include "visualizers/plots/plot_files.h"

namespace convscope::app {

/// A plot that is on the screen in this frame, as 'Export' saves it.
struct DrawnPlot {
    std::string name;  ///< tells it from the others
    Plot plot;
    PlotState state;
    PlotPage page;
    std::string about;  ///< where its rows are from; empty: from this session
};
/// Those of this frame, in the order in which they were drawn. Kept while the session's export is open.
const std::vector<DrawnPlot>& drawn_plots();
void note_drawn(const Session&, DrawnPlot);

/// Asks for a file, beginning with 'path' ("a/b.csv"), and writes the text there.
void save_text(Session&, FileDialogs&, const std::string& path, std::string text);
/// A plot of the plot canvas as a picture, likewise.
void save_png(Session&, FileDialogs&, const std::string& path, const Plot&, const PlotState&, const PlotPage&,
              const PlotEmphasis&);

/// What was chosen in the plot's menu. 'name' tells its files apart: "convscope.sweep-lines.svg"; 'csv' makes its
/// data, where that is more than what is drawn.
void save_plot(Session&, FileDialogs&, const PlotResult&, const Plot&, const PlotState&, const PlotEmphasis&,
               const std::string& name, const std::function<std::string()>& csv = {});

}  // namespace convscope::app
