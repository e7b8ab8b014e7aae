// The geometry of the timing plot, shared by the screen and the SVG file.
#pragma once

#include <string>
#include <vector>

#include "visualizers/plot_views/timing_plot.h"
#include "visualizers/plots/plot_axis.h"

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

/// A method's name where its line ends.
struct LineLabel {
    const TimingSeries* series = nullptr;
    bool hidden = false;  ///< its line is switched off; without it: ends at line_y
    double line_y = 0;
    double y = 0;  ///< of the label's middle; no two labels are less than a row apart
};
struct LineLabels {
    std::vector<LineLabel> list;  ///< from the top: the slowest first, those switched off last
    std::size_t left_out = 0;     ///< for which there is no room, of the slowest
};
LineLabels line_labels(const TimingPlotData&, const TimingPlotState&, const PlotFrame&, double row_height);
/// "ecr1", and its time: the latest, where it changes.
std::string label_of(const TimingSeries&, bool with_time);

/// The median as it is drawn: one level line, or two where the time changes.
struct LinePiece {
    double x0 = 0, x1 = 0, y = 0;
};
std::vector<LinePiece> median_line(const TimingSeries&, const PlotFrame&);
/// "ecr3 drifts: 12.1 us, then 13.4 us" for each series that does; empty where none does.
std::string drift_in_words(const TimingPlotData&, const TimingPlotState&);

/// A sample's place in pixels.
struct Dot {
    double x = 0, y = 0;
};
/// The samples in view; of those that fall into one square of 'edge' px, the first.
std::vector<Dot> dots(const TimingSeries&, const PlotFrame&, double edge);

Rgba series_color(const TimingSeries&, const Theme&);

}  // namespace convscope
