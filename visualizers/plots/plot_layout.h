// Lays out a plot: the axes with their ranges and ticks, the area, the legend. The same on the screen and in files;
// pointing and drawing both use it.
#pragma once

#include <string>
#include <vector>

#include "visualizers/plots/canvas.h"
#include "visualizers/plots/plot.h"
#include "visualizers/theme/theme.h"

namespace convscope {

struct PlotLook {
    const Theme* theme = nullptr;
    double text = 12;      ///< size of all words
    double scale = 1;      ///< of every distance
    double scrollbar = 0;  ///< width of one, where not all rows have room
    bool file = false;     ///< drawn into a file
    double px(double at_scale_1) const { return at_scale_1 * scale; }
};

/// An axis in use: range, ticks and words.
struct PlotAxis {
    AxisRange range;
    bool log = false;
    std::string label;        ///< "time (ms, log)"
    std::vector<Tick> ticks;  ///< values as in the data, labels in the label's unit
    std::string unit = {};    ///< the label's
    double unit_size = 1;     ///< in the unit of the data

    double share(double value) const;  ///< 0 at the low end, 1 at the high end; NaN stays NaN
    double value(double share) const;
};

/// A value of an axis as people read it: "4.21 us", "32x4x1".
std::string plot_words(const PlotScale&, double value);
/// The same in the axis' unit, so that all values side by side have the same.
std::string words_on(const PlotAxis&, const PlotScale&, double value);

struct PlotLegendEntry {
    std::size_t series = 0;
    CanvasBox box;
    std::string words;
    double line_x = 0, line_y = 0;  ///< of a name at the end of its line: where that is; NaN where it is switched off
};

/// The layout of a plot in rows. The area is the visible part of their bars.
struct PlotRowsLayout {
    double height = 0;                ///< of each
    CanvasBox sight;                  ///< of all rows, with their texts
    double needed = 0;                ///< height of all; more than sight's where they are scrolled
    bool two_lines = false;           ///< there is room for the details
    std::optional<std::size_t> lead;  ///< the series whose results stand at the rows' ends
};

struct PlotLayout {
    CanvasBox whole, area;
    PlotAxis x, y, right, colors;  ///< 'colors': the scale of cells or of parallel lines
    bool has_right = false, has_colors = false;
    double broken_names = 0;     ///< over 0: names along x stand in lines of at most this width
    bool turned_names = false;   ///< along x: nor do they fit side by side so
    bool lying = false;          ///< nor turned: they stand in a column, and values run to the right
    std::vector<PlotAxis> axes;  ///< of parallel coordinates
    std::vector<PlotLegendEntry> legend;
    std::size_t unnamed = 0;     ///< for which there is no room: the last of a legend, the largest at line ends
    bool names_at_ends = false;  ///< of lines: in place of a legend above
    bool x_name_beside = false;  ///< left of its ticks, where a plot is low
    double end_words = 0;        ///< over 0: the room for the words at the ends of strips
    PlotRowsLayout rows;

    /// Along their axis: x from the left, or from the top where the plot lies; y upwards, or to the right.
    double at_x(double value) const {
        return lying ? area.y + x.share(value) * area.h : area.x + x.share(value) * area.w;
    }
    double at_y(double value, bool on_right = false) const {
        const double share = (on_right ? right : y).share(value);
        return lying ? area.x + share * area.w : area.bottom() - share * area.h;
    }
    CanvasPoint at(double of_x, double of_y, bool on_right = false) const {
        return lying ? CanvasPoint{at_y(of_y, on_right), at_x(of_x)} : CanvasPoint{at_x(of_x), at_y(of_y, on_right)};
    }
    /// The values at a place.
    double x_at(CanvasPoint place) const {
        return x.value(lying ? (place.y - area.y) / area.h : (place.x - area.x) / area.w);
    }
    double y_at(CanvasPoint place) const {
        return y.value(lying ? (place.x - area.x) / area.w : (area.bottom() - place.y) / area.h);
    }
    /// The position of a value of bars in rows.
    double along_row(double value) const { return area.x + y.share(value) * area.w; }
    /// The position of parallel axis i.
    double axis_x(std::size_t i) const;
    double axis_y(std::size_t i, double value) const { return area.bottom() - axes[i].share(value) * area.h; }
};

/// 'canvas' only measures text. Too small a box leaves an area without width or height.
PlotLayout lay_out(Canvas&, const Plot&, const PlotState&, const PlotLook&, const CanvasBox&);

/// How wide the box has to be for its names along x to stand side by side, each in lines of its own; 0 of maps, and of
/// plots that can lie instead.
double width_for_names(Canvas&, const Plot&, const PlotLook&);

/// The visible range of x and y, in their own values.
PlotState::View view_of(const PlotLayout&);

/// Row i of a plot in rows, on the canvas; it may be out of sight.
CanvasBox row_box(const PlotLayout&, const PlotState&, std::size_t i);
/// How high a picture of a plot in rows has to be for all of them.
double height_of_rows(const Plot&, const PlotState&, const PlotLook&);

/// The box of bar i of a series.
CanvasBox bar_box(const PlotLayout&, const PlotSeries&, std::size_t i);

bool is_hidden(const PlotState&, const PlotSeries&);
/// Nothing to draw: no mark that is not hidden, no cell, no line.
bool is_empty(const Plot&, const PlotState&);
/// The colours of the series. No two lines, nor two clouds with the same mark, share one: where its own is taken, a
/// series has another shade of it; on a map, where its own is near another's. Those of one name have one, as have
/// another's results and ours (outlined), and a method's times and the lines of another stroke that are fitted to them.
std::vector<Rgba> inks_of(const Plot&, const Theme&);
/// The colour of a method or the vendor, on this theme's panels.
Rgba method_color(int color, bool vendor, const Theme&);

}  // namespace convscope
