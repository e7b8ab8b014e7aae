// The axes that a plot's data needs.
#pragma once

#include "visualizers/plots/plot_layout.h"

namespace convscope {

/// The least and the greatest of what is given to it.
class Extent {
public:
    void add(double value, bool log) {
        if (!(value > (log ? 0 : -1e300)) || !(value < 1e300)) return;
        low_ = any_ ? std::min(low_, value) : value;
        high_ = any_ ? std::max(high_, value) : value;
        any_ = true;
    }
    bool any() const { return any_; }
    double low() const { return low_; }
    double high() const { return high_; }

private:
    double low_ = 0, high_ = 0;
    bool any_ = false;
};

/// The name of an axis with its unit: "time (us, log)".
std::string label_of(const PlotScale&, const char* unit, bool log);

/// The axis for data within 'extent', with about 'wanted' ticks; 'seen' is what a user has zoomed to.
PlotAxis make_plot_axis(const PlotScale&, bool log, const Extent&, int wanted, std::optional<AxisRange> seen = {});

/// Rows of names above the plot; returns their height.
double lay_out_legend(Canvas&, const Plot&, const PlotLook&, PlotLayout&);
/// Names at line ends: whether they can stand there, what they need to the right of the area when the axis of y is
/// known, and, when the axes are, their places.
bool names_fit_at_ends(Canvas&, const Plot&, const PlotLook&, const CanvasBox& whole);
double width_of_end_names(Canvas&, const Plot&, const PlotLook&);
void lay_out_end_names(Canvas&, const Plot&, const PlotState&, const PlotLook&, PlotLayout&);

/// The layout of a plot in rows, below a legend of this height.
void lay_out_rows(Canvas&, const Plot&, const PlotState&, const PlotLook&, double legend, PlotLayout&);

/// By PlotScale::log_beyond of y.
bool levels_far_apart(const Plot&, const PlotState&);

Extent extent_of(const Plot&, const PlotState&, bool of_x, bool right, bool log);

}  // namespace convscope
