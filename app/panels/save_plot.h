// Does what a plot's right-click menu asks for: the picture, the data and the command line go where the session's
// paths say, and the session says what became of it.
#pragma once

#include <functional>
#include <string>

#include "app/session.h"
#include "visualizers/plots/plot_view.h"

namespace convscope::app {

/// How one plot is saved. Only what is asked for is called.
struct PlotOutputs {
    std::string what;                                  ///< of its data: "the samples"
    std::string ending;                                ///< of the CSV beside the session's: ".samples.csv"
    std::function<void(const std::string& path)> png;  ///< writes or requests it; may throw Error
    bool png_later = false;                            ///< it is only requested, and says itself when it is there
    std::function<std::string()> svg, csv;
    std::string command;    ///< empty: there is none
    std::string name = {};  ///< in the pictures' file names: ".sweep-lines"; empty: the session's path as it is
};

void save_plot(Session&, PlotRequest, const PlotOutputs&);

/// The same for a plot of the plot canvas. 'name' tells its files apart: "convscope.sweep-lines.svg".
void save_plot(Session&, const PlotResult&, const Plot&, const PlotState&, const PlotEmphasis&,
               const std::string& name);

}  // namespace convscope::app
