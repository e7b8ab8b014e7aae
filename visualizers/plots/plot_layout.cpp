#include "visualizers/plots/plot_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "visualizers/plots/name_lines.h"
#include "visualizers/plots/plot_ranges.h"

namespace convscope {
namespace {

constexpr double low = 200;  ///< a plot that is less high has no line to spare for the name of x

double line_height(const PlotLook& look) {
    return look.text * 1.35;
}

int ticks_for(double length, double each, const PlotLook& look) {
    return static_cast<int>(std::clamp(length / look.px(each), 2.0, 40.0));
}

/// How many names have room one below the other.
int lines_in(double height, const PlotLook& look) {
    return std::max(1, static_cast<int>(height / (1.15 * look.text)));
}

double widest(Canvas& canvas, const PlotAxis& axis, const PlotLook& look) {
    double width = 0;
    for (const Tick& tick : axis.ticks) width = std::max(width, canvas.text_width(tick.label, look.text));
    return width;
}

Extent extent_of_values(const PlotCells& cells) {
    Extent extent;
    for (const PlotCell& cell : cells.cells)
        if (cell.series.empty()) extent.add(cell.value, cells.value.log || cells.ratio);
    return extent;
}

PlotAxis value_axis(const Plot& plot, const PlotLook& look, double height) {
    const int wanted = ticks_for(height, 44, look);
    if (plot.cells) {
        const Extent extent = extent_of_values(*plot.cells);
        PlotAxis axis = make_plot_axis(plot.cells->value, plot.cells->value.log || plot.cells->ratio, extent, wanted);
        if (!plot.cells->ratio || !extent.any()) return axis;
        // As far below 1 as above, so that the middle of the map is no change.
        const double most = std::max({extent.high(), 1 / extent.low(), 1.1});
        return make_plot_axis(plot.cells->value, true, extent, wanted, AxisRange{1 / most, most});
    }
    Extent extent;
    const PlotParallel& parallel = *plot.parallel;
    const PlotScale& scale = parallel.axes[parallel.colour_axis];
    for (double value : parallel.values[parallel.colour_axis]) extent.add(value, scale.log);
    return make_plot_axis(scale, scale.log, extent, wanted);
}

void lay_out_parallel(Canvas& canvas, const Plot& plot, const PlotLook& look, PlotLayout& layout) {
    const PlotParallel& parallel = *plot.parallel;
    for (std::size_t i = 0; i < parallel.axes.size(); ++i) {
        Extent extent;
        for (double value : parallel.values[i]) extent.add(value, parallel.axes[i].log);
        layout.axes.push_back(
            make_plot_axis(parallel.axes[i], parallel.axes[i].log, extent, ticks_for(layout.area.h, 28, look)));
    }
    // Labels stand to the left of their axis, names above it.
    const double first = layout.axes.empty() ? 0 : widest(canvas, layout.axes.front(), look);
    const double name = layout.axes.empty() ? 0 : canvas.text_width(layout.axes.back().label, look.text) / 2;
    const double front = layout.axes.empty() ? 0 : canvas.text_width(layout.axes.front().label, look.text) / 2;
    const double left = std::max(first + look.px(16), front + look.px(8)), right = name + look.px(12);
    layout.area = {layout.whole.x + left, layout.area.y + look.px(8), std::max(0.0, layout.whole.w - left - right),
                   std::max(0.0, layout.area.h - look.px(8))};
}

}  // namespace

double PlotLayout::axis_x(std::size_t i) const {
    return area.x + (axes.size() < 2 ? 0.5 : static_cast<double>(i) / static_cast<double>(axes.size() - 1)) * area.w;
}

CanvasBox bar_box(const PlotLayout& layout, const PlotSeries& series, std::size_t i) {
    const PlotAxis& axis = series.right ? layout.right : layout.y;
    const double base = i < series.base.size() ? series.base[i] : axis.log ? axis.range.low : 0;
    const CanvasPoint a = layout.at(series.x[i] - series.bar_width / 2, base, series.right);
    const CanvasPoint b = layout.at(series.x[i] + series.bar_width / 2, series.y[i], series.right);
    return {std::min(a.x, b.x), std::min(a.y, b.y), std::abs(b.x - a.x), std::abs(b.y - a.y)};
}

std::string crosses_in_words(const Plot& plot) {
    std::set<std::string> of;
    for (const PlotRejection& one : plot.rejected) of.insert(one.series);
    if (of.empty()) return {};
    constexpr std::size_t most = 3;
    return "; a cross: no value of " +
           (of.size() > most ? fmt::format("{} methods", of.size()) : fmt::format("{}", fmt::join(of, ", ")));
}

void set_side_by_side(Plot& plot) {
    const double width = 0.8 / static_cast<double>(std::max<std::size_t>(1, plot.series.size()));
    double left = -0.4;
    for (PlotSeries& series : plot.series) {
        if (series.marks == PlotSeries::Marks::bars)
            for (double& x : series.x) x += left + width / 2;
        series.bar_width = 0.92 * width;
        left += width;
    }
}

bool is_hidden(const PlotState& state, const PlotSeries& series) {
    return state.hidden.contains(series.name);
}

bool is_empty(const Plot& plot, const PlotState& state) {
    if (plot.cells) return plot.cells->cells.empty();
    if (plot.parallel) return plot.parallel->axes.empty() || plot.parallel->values.front().empty();
    if (!plot.rejected.empty()) return false;
    return std::none_of(plot.series.begin(), plot.series.end(),
                        [&](const PlotSeries& series) { return !is_hidden(state, series) && !series.x.empty(); });
}

namespace {

constexpr double max_names = 0.33, max_column = 0.45;  ///< of the height for turned names, of the width for a column

double longest_name(Canvas& canvas, const Plot& plot, const PlotLook& look) {
    double longest = 0;
    for (const std::string& name : plot.x.names) longest = std::max(longest, canvas.text_width(name, look.text));
    return longest;
}

constexpr double side_by_side = 0.85;  ///< of the width is the area's, about, with its names along x

/// For each of the names along x, side by side over an area of this width.
double room_for_name(const Plot& plot, const PlotLook& look, double width) {
    return width / static_cast<double>(std::max<std::size_t>(1, plot.x.names.size())) - look.px(10);
}

bool fit_side_by_side(const Plot& plot, const PlotLook& look, double width, double longest) {
    return longest <= room_for_name(plot, look, width) || longest <= 2 * line_height(look);
}

/// How many lines the longest of the names takes, side by side; 0 where there is no room for one of them.
std::size_t lines_of_names(Canvas& canvas, const Plot& plot, const PlotLook& look, double width) {
    std::size_t most = 0;
    for (const std::string& name : plot.x.names) {
        const std::size_t lines = name_lines(canvas, name, look.text, room_for_name(plot, look, width)).size();
        if (lines == 0) return 0;
        most = std::max(most, lines);
    }
    return most;
}

/// The room for turned names below an area that begins 'top' below the upper edge. The area keeps at least half of the
/// panel.
double room_for_turned(const PlotLook& look, const CanvasBox& box, double top, double longest) {
    const double line = line_height(look), names = std::min(longest, max_names * box.h) + look.px(2);
    return std::clamp(box.h / 2 - top - line - look.px(8), std::min(names, 2 * line), names);
}

/// Whether names can stand in a column: for bars and dots.
bool can_lie(const Plot& plot) {
    using Marks = PlotSeries::Marks;
    return !plot.cells && !plot.parallel && !plot.rows && plot.rejected.empty() && !plot.series.empty() &&
           std::ranges::all_of(plot.series, [](const PlotSeries& one) {
               const bool dot = one.marks == Marks::dots || (one.marks == Marks::line_and_dots && one.x.size() < 2);
               return (one.marks == Marks::bars || dot) && !one.right;
           });
}

/// Names that would be cut if they were turned stand in a column where that has more room.
bool lies(const Plot& plot, const PlotLook& look, const CanvasBox& box, double top, double longest) {
    const double column = box.h - top - 2 * line_height(look) - look.px(8);
    const bool all_in_column = static_cast<double>(plot.x.names.size()) * 1.15 * look.text <= column;
    return plot.x.names.size() > 1 && can_lie(plot) && longest > room_for_turned(look, box, top, longest) &&
           max_column * box.w > max_names * box.h && (longest > max_names * box.h || all_in_column);
}

/// What stands at the ends of strips; 0 where there is no room for it.
double width_of_end_words(Canvas& canvas, const Plot& plot, const PlotLook& look, const CanvasBox& box) {
    double widest = 0;
    if (box.w > look.px(360))
        for (const PlotSeries& one : plot.series)
            widest = std::max(widest, canvas.text_width(one.end_words, look.text));
    return widest;
}

/// The axis of y and, of plots that lie, the column of names left of the area.
void lay_out_lying(Canvas& canvas, const Plot& plot, const PlotState& state, const PlotLook& look, double longest,
                   PlotLayout& layout) {
    const CanvasBox& box = layout.whole;
    layout.end_words = width_of_end_words(canvas, plot, look, box);
    const double left = std::min(longest, max_column * box.w) + look.px(16), right = look.px(24) + layout.end_words;
    // Strips have the name of their values above, where the line is free.
    const double bottom = (plot.strips ? 1 : 2) * line_height(look) + look.px(8);
    layout.area = {box.x + left, layout.area.y, std::max(0.0, box.w - left - right),
                   std::max(0.0, box.bottom() - layout.area.y - bottom)};
    const bool log = state.log_y.value_or(plot.y.log || levels_far_apart(plot, state));
    std::optional<AxisRange> seen_x, seen_y;
    if (state.view) {
        seen_x = {state.view->x0, state.view->x1};
        seen_y = {state.view->y0, state.view->y1};
    }
    layout.y = make_plot_axis(plot.y, log, extent_of(plot, state, false, false, log),
                              ticks_for(layout.area.w, 72, look), seen_y);
    // Names of strips may stand closer: their letters do not touch yet.
    const double lines = plot.strips ? 1.4 * layout.area.h : layout.area.h;
    layout.x = make_plot_axis(plot.x, false, extent_of(plot, state, true, false, false), lines_in(lines, look), seen_x);
    if (!plot.strips || !(layout.area.h > 0)) return;
    const double row = std::min(line_height(look), layout.area.h / static_cast<double>(plot.x.names.size()));
    for (std::size_t i = 0; i < plot.series.size(); ++i)
        if (const PlotSeries& one = plot.series[i]; one.marks == PlotSeries::Marks::level)
            layout.legend.push_back(
                {i, {box.x, layout.at_x(std::round(one.x.front())) - row / 2, left - look.px(8), row}, one.name});
}

/// 'width' is about the area's: names along x are side by side where they fit into it.
PlotLayout lay_out_for(Canvas& canvas, const Plot& plot, const PlotState& state, const PlotLook& look,
                       const CanvasBox& box, double width) {
    PlotLayout layout;
    layout.whole = box;
    layout.names_at_ends = !plot.cells && !plot.parallel && !plot.rows && names_fit_at_ends(canvas, plot, look, box);
    const double legend = layout.names_at_ends ? 0 : lay_out_legend(canvas, plot, look, layout);
    if (plot.rows) {
        lay_out_rows(canvas, plot, state, look, legend, layout);
        return layout;
    }
    const bool only_axes = plot.parallel.has_value();
    // Over parallel axes there may be two rows of names.
    const double line = line_height(look), top = legend + (only_axes ? 2 : 1) * line + look.px(4);
    const double longest = longest_name(canvas, plot, look);
    const bool one_line = fit_side_by_side(plot, look, width, longest);
    const std::size_t lines = one_line || only_axes ? 1 : lines_of_names(canvas, plot, look, width);
    if (lines > 1) layout.broken_names = room_for_name(plot, look, width);
    if (plot.strips || (lines == 0 && lies(plot, look, box, top, longest))) {
        layout.lying = true;
        layout.area.y = box.y + top;
        lay_out_lying(canvas, plot, state, look, longest, layout);
        return layout;
    }
    layout.turned_names = lines == 0;
    const double names = only_axes             ? 0
                         : layout.turned_names ? room_for_turned(look, box, top, longest)
                                               : static_cast<double>(lines) * line;
    const bool log_x = state.log_x.value_or(plot.x.log) && plot.x.names.empty();
    const double x_name = canvas.text_width(label_of(plot.x, plot.x.unit.c_str(), log_x), look.text) + look.px(11);
    layout.x_name_beside = !only_axes && lines == 1 && box.h < look.px(low) && x_name < 0.25 * box.w;
    const double bottom = only_axes ? look.px(8) : names + (layout.x_name_beside ? look.px(4) : line + look.px(8));
    layout.area = {box.x, box.y + top, box.w, std::max(0.0, box.h - top - bottom)};
    if (only_axes) {
        lay_out_parallel(canvas, plot, look, layout);
        if (!is_empty(plot, state)) layout.colors = value_axis(plot, look, layout.area.h);
        return layout;
    }
    const bool log_y = state.log_y.value_or(plot.y.log) && plot.y.names.empty();
    std::optional<AxisRange> seen_x, seen_y;
    if (state.view) {
        seen_x = {state.view->x0, state.view->x1};
        seen_y = {state.view->y0, state.view->y1};
    }
    layout.y = make_plot_axis(plot.y, log_y, extent_of(plot, state, false, false, log_y),
                              plot.y.names.empty() ? ticks_for(layout.area.h, 40, look) : lines_in(layout.area.h, look),
                              seen_y);
    const double left = std::max(widest(canvas, layout.y, look) + look.px(16), layout.x_name_beside ? x_name : 0);
    double right = layout.names_at_ends ? width_of_end_names(canvas, plot, look) : look.px(16);
    layout.has_right = std::any_of(plot.series.begin(), plot.series.end(), [](const auto& one) { return one.right; });
    if (layout.has_right) {
        layout.right = make_plot_axis(plot.right, plot.right.log, extent_of(plot, state, false, true, plot.right.log),
                                      ticks_for(layout.area.h, 40, look));
        right = widest(canvas, layout.right, look) + look.px(16);
    }
    layout.has_colors =
        plot.cells && std::any_of(plot.cells->cells.begin(), plot.cells->cells.end(), [](const PlotCell& cell) {
            return std::isfinite(cell.value) && cell.series.empty();
        });
    if (layout.has_colors) {
        layout.colors = value_axis(plot, look, layout.area.h);
        right = widest(canvas, layout.colors, look) + look.px(16 + 12 + 16);
    }
    layout.area.x += left;
    layout.area.w = std::max(0.0, box.w - left - right);
    const double each = !plot.x.names.empty() ? 0 : look.px(plot.x.powers_of_two ? 40 : 72);
    double apart = each;
    for (const std::string& name : plot.x.names)
        apart = std::max(apart, canvas.text_width(name, look.text) + look.px(10));
    if (layout.turned_names) apart = 1.15 * look.text;
    if (layout.broken_names > 0) apart = layout.area.w / static_cast<double>(plot.x.names.size());
    const int wanted = static_cast<int>(std::clamp(layout.area.w / std::max(1.0, apart), 1.0, 200.0));
    layout.x = make_plot_axis(plot.x, log_x, extent_of(plot, state, true, false, log_x),
                              plot.x.names.empty() ? std::max(2, wanted) : wanted, seen_x);
    if (layout.names_at_ends) lay_out_end_names(canvas, plot, state, look, layout);
    return layout;
}

}  // namespace

PlotLayout lay_out(Canvas& canvas, const Plot& plot, const PlotState& state, const PlotLook& look,
                   const CanvasBox& box) {
    const double width = side_by_side * box.w;
    PlotLayout layout = lay_out_for(canvas, plot, state, look, box, width);
    // The area may have turned out to be narrower than that.
    const bool left_out = !layout.lying && !state.view && layout.x.ticks.size() < plot.x.names.size();
    return left_out ? lay_out_for(canvas, plot, state, look, box, layout.area.w) : layout;
}

double width_for_names(Canvas& canvas, const Plot& plot, const PlotLook& look) {
    if (plot.cells || can_lie(plot)) return 0;
    const double each = widest_piece(canvas, plot.x.names, look.text) + look.px(10);
    return static_cast<double>(plot.x.names.size()) * each / side_by_side;
}

PlotState::View view_of(const PlotLayout& layout) {
    return {layout.x.range.low, layout.x.range.high, layout.y.range.low, layout.y.range.high};
}

}  // namespace convscope
