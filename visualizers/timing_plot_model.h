// The geometry of the timing plot, shared by the screen and the SVG file.
#pragma once

#include <string>
#include <vector>

#include "visualizers/plot_axis.h"
#include "visualizers/timing_plot.h"

namespace convscope {

/// Maps samples and microseconds to a rectangle of pixels, and carries the ticks.
struct PlotFrame {
    double left = 0, top = 0, width = 0, height = 0;  ///< of the plotting area
    TimingPlotState::View view;
    bool log_scale = false;
    TimeUnit unit{"us", 1};
    std::vector<Tick> x_ticks, y_ticks;  ///< y in the unit

    double x(double sample) const { return left + (sample - view.x0) / (view.x1 - view.x0) * width; }
    double y(double us) const;
    double sample_at(double px) const { return view.x0 + (px - left) / width * (view.x1 - view.x0); }
    double us_at(double py) const;
};

bool is_log(const TimingPlotData&, const TimingPlotState&);
/// What is shown when nothing was zoomed: all samples of the series that are switched on.
TimingPlotState::View full_view(const TimingPlotData&, const TimingPlotState&);
/// 'scale': of the text, which decides how many ticks there is room for.
PlotFrame make_frame(const TimingPlotData&, const TimingPlotState&, double left, double top, double width,
                     double height, double scale = 1);

/// A sample's place in pixels.
struct Dot {
    double x = 0, y = 0;
};
/// The samples in view; of those that fall into one square of 'edge' px, the first.
std::vector<Dot> dots(const std::vector<double>& samples, const PlotFrame&, double edge);

Rgba series_color(const TimingSeries&, const Theme&);

}  // namespace convscope
