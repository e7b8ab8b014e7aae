// The geometry of the network plot, shared by the screen and the SVG file.
#pragma once

#include <string>
#include <vector>

#include "visualizers/plot_views/network_plot.h"
#include "visualizers/plots/plot_axis.h"

namespace convscope {

/// Maps microseconds to pixels along the bars, and carries the ticks.
struct NetworkAxis {
    double left = 0, width = 0;
    AxisRange range;  ///< microseconds
    bool log_scale = false;
    TimeUnit unit{"us", 1};
    std::vector<Tick> ticks;  ///< in the unit

    double x(double us) const;
    std::string name() const;  ///< "time (ms)"
};

/// Room for every bar that is shown. 'scale': of the text, which decides how many ticks there is room for.
NetworkAxis make_network_axis(const NetworkPlotData&, const NetworkPlotState&, double left, double width,
                              double scale = 1);

/// The series that are switched on, by index.
std::vector<std::size_t> shown_series(const NetworkPlotData&, const NetworkPlotState&);
/// The first shown one that is not the baseline: whose speed-up stands at the end of each row.
std::optional<std::size_t> lead_series(const NetworkPlotData&, const NetworkPlotState&);
/// "85 % ramp", and how often the network has the layer.
std::string zeros_text(const NetworkLayer&);
/// "ecr3 0.85x", "not supported", or nothing yet.
std::string lead_text(const NetworkLayer&, std::size_t series);
Rgba bar_color(const NetworkSeries&, const Theme&);

}  // namespace convscope
