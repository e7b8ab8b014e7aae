// The rows of a sweep as plots.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/ui/sweep_view/sweep_rows.h"
#include "visualizers/plots/plot_layout.h"

namespace convscope::app {

struct SweepPlot {
    SweepPane pane = SweepPane::lines;
    std::string title;  ///< what it shows, in words
    Plot plot;
};

struct SweepPlotChoice {
    SweepMetric metric = SweepMetric::time;
    std::string method;   ///< that map and occupancy show
    std::string command;  ///< that measures the sweep again
};

/// Those that have something to show, in the order of the panes.
std::vector<SweepPlot> sweep_plots(const SweepRows&, const SweepPlotChoice&);

/// Gives every mark the number of its row among all, where the plots were made of some: rows[i] for row i.
void renumber(std::vector<SweepPlot>&, const std::vector<PlotRow>& rows);

/// The methods among the rows, ours first.
std::vector<std::string> methods_of(const SweepRows&);

}  // namespace convscope::app
