// Where things stand in a chart: margins, axes and their ticks, the legend.
#pragma once

#include <vector>

#include "visualizers/plots/chart.h"
#include "visualizers/plots/chart_canvas.h"
#include "visualizers/plots/plot_axis.h"

namespace convscope {

/// Ink of charts, which are drawn on white.
struct ChartInk {
    static constexpr Rgba text = Rgba::hex(0x191c22), dim = Rgba::hex(0x565e6b), hairline = Rgba::hex(0xd8dde4);
};

/// One vertical axis.
struct ChartAxis {
    AxisRange range;
    bool logarithmic = false;
    std::vector<Tick> ticks;
    /// 0 at the bottom, 1 at the top.
    double share(double value) const;
};

/// The axis that shows all values of the series on it; bars start at 0 where the axis is not logarithmic.
ChartAxis make_axis(const Chart&, bool right);

class ChartFrame {
public:
    ChartFrame(ChartCanvas&, const Chart&);

    double x(std::size_t point) const { return left_ + (static_cast<double>(point) + 0.5) * step(); }
    double y(const ChartSeries& series, double value) const {
        return bottom_ - (series.right_axis ? right_axis_ : left_axis_).share(value) * (bottom_ - top_);
    }
    double step() const {
        return (right_ - left_) / static_cast<double>(std::max<std::size_t>(1, chart_.points.size()));
    }
    double bottom() const { return bottom_; }

    /// Titles, legend, axes, grid: everything but the data.
    void draw();

private:
    void draw_titles();
    void draw_legend();
    void draw_axis(const ChartAxis&, bool right);
    void draw_points();

    ChartCanvas& canvas_;
    const Chart& chart_;
    double width_, left_ = 72, right_ = 0, top_ = 0, bottom_ = 0;
    ChartAxis left_axis_, right_axis_;
    bool turned_ = false;  ///< names of points do not fit side by side
};

}  // namespace convscope
