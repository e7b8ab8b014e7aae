#include "visualizers/plots/plot_pick.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "visualizers/plots/plot_draw.h"

namespace convscope {
namespace {

/// The own height of a bar that stands on others.
double height_of(const PlotSeries& series, std::size_t i) {
    return i < series.base.size() ? series.y[i] - series.base[i] : series.y[i];
}

std::string words_of_y(const Plot& plot, const PlotLayout& layout, const PlotSeries& series, double y) {
    return series.right ? words_on(layout.right, plot.right, y) : words_on(layout.y, plot.y, y);
}

PlotPick pick_of(const Plot& plot, const PlotLayout& layout, std::size_t which, std::size_t i, CanvasPoint at) {
    const PlotSeries& series = plot.series[which];
    const auto words = [&](double y) { return words_of_y(plot, layout, series, y); };
    std::string spread;
    if (i < series.low.size() && i < series.high.size() && std::isfinite(series.low[i]))
        spread = fmt::format("\nquartiles  {} to {}", words(series.low[i]), words(series.high[i]));
    return {i < series.row.size() ? series.row[i] : no_row,
            fmt::format("{}\n{}  {}\n{}  {}{}", series.name, plot.x.name, words_on(layout.x, plot.x, series.x[i]),
                        (series.right ? plot.right : plot.y).name, words(height_of(series, i)), spread),
            at.x,
            at.y,
            which,
            i,
            series.name + spread};
}

/// A line or a dot that has its name in the plot has it under the pointer too, where there was no room.
void pick_noted(const Plot& plot, const PlotState& state, const PlotLayout& layout, double nearest, double x, double y,
                PlotPick& found) {
    for (const PlotSeries& series : plot.series)
        for (std::size_t i = 0; i < series.x.size() && !series.note.empty() && !is_hidden(state, series); ++i) {
            const std::size_t before = i == 0 ? 0 : i - 1;
            const CanvasPoint a = layout.at(series.x[before], series.y[before]),
                              b = layout.at(series.x[i], series.y[i]);
            const double dx = b.x - a.x, dy = b.y - a.y, length = dx * dx + dy * dy;
            const double along = length > 0 ? std::clamp(((x - a.x) * dx + (y - a.y) * dy) / length, 0.0, 1.0) : 0.0;
            const CanvasPoint there{a.x + along * dx, a.y + along * dy};
            const double far = std::hypot(there.x - x, there.y - y);
            if (far >= nearest) continue;
            nearest = far;
            found = {no_row, series.note, there.x, there.y};
        }
}

PlotPick pick_mark(const Plot& plot, const PlotState& state, const PlotLayout& layout, const PlotLook& look, double x,
                   double y) {
    PlotPick found;
    double nearest = look.px(12);
    for (std::size_t s = 0; s < plot.series.size(); ++s) {
        const PlotSeries& series = plot.series[s];
        if (is_hidden(state, series) || !series.note.empty() || series.marks == PlotSeries::Marks::samples ||
            series.marks == PlotSeries::Marks::level)
            continue;
        for (std::size_t i = 0; i < series.x.size(); ++i) {
            if (!std::isfinite(series.y[i])) continue;
            if (series.marks == PlotSeries::Marks::bars) {
                const CanvasBox box = bar_box(layout, series, i);
                if (!box.holds(x, y)) continue;
                nearest = 0;
                found = pick_of(plot, layout, s, i, {box.x + box.w / 2, box.y});
                continue;
            }
            const CanvasPoint at = layout.at(series.x[i], series.y[i], series.right);
            if (std::abs(at.x - x) >= nearest) continue;
            const double far = std::hypot(at.x - x, at.y - y);
            if (far >= nearest) continue;
            nearest = far;
            found = pick_of(plot, layout, s, i, at);
        }
    }
    for (const PlotRejection& one : plot.rejected) {
        const double at_x = layout.at_x(one.x), at_y = layout.area.bottom() - look.px(8);
        if (const double far = std::hypot(at_x - x, at_y - y); far < nearest) {
            nearest = far;
            found = {one.row, fmt::format("{}  {}\n{}", plot.x.name, plot_words(plot.x, one.x), one.reason), at_x,
                     at_y};
        }
    }
    if (found.words.empty()) pick_noted(plot, state, layout, look.px(6), x, y, found);
    return found;
}

PlotPick pick_cell(const Plot& plot, const PlotLayout& layout, double x, double y) {
    const double at_x = std::round(layout.x_at({x, y})), at_y = std::round(layout.y_at({x, y}));
    const auto columns = static_cast<double>(plot.x.names.size()), rows = static_cast<double>(plot.y.names.size());
    if (!layout.area.holds(x, y) || at_x < 0 || at_y < 0 || at_x >= columns || at_y >= rows) return {};
    const auto at = static_cast<std::size_t>(at_y * columns + at_x);
    if (at >= plot.cells->cells.size()) return {};
    const PlotCell& cell = plot.cells->cells[at];
    std::string value = cell.reason.empty() ? std::string("not measured") : cell.reason;
    if (std::isfinite(cell.value))
        value = fmt::format("{}  {}", plot.cells->value.name, words_on(layout.colors, plot.cells->value, cell.value));
    if (!cell.text.empty() && std::isfinite(cell.value)) value = cell.text + "\n" + value;
    if (!cell.note.empty()) value += "\n" + cell.note;
    return {cell.row,
            fmt::format("{}  {}\n{}  {}\n{}", plot.x.name, plot_words(plot.x, at_x), plot.y.name,
                        plot_words(plot.y, at_y), value),
            layout.at_x(at_x), layout.at_y(at_y)};
}

/// Distance of a place from line i, on the way between the two axes that it is between.
double far_from(const PlotParallel& lines, const PlotLayout& layout, std::size_t i, double x, double y) {
    double nearest = 1e9;
    for (std::size_t a = 0; a + 1 < lines.axes.size(); ++a) {
        const double x0 = layout.axis_x(a), x1 = layout.axis_x(a + 1);
        if (x < x0 || x > x1 || !std::isfinite(lines.values[a][i]) || !std::isfinite(lines.values[a + 1][i])) continue;
        const double y0 = layout.axis_y(a, lines.values[a][i]), y1 = layout.axis_y(a + 1, lines.values[a + 1][i]);
        const double slope = (y1 - y0) / (x1 - x0), there = y0 + (x - x0) * slope;
        nearest = std::min(nearest, std::abs(there - y) / std::sqrt(1 + slope * slope));
    }
    return nearest;
}

PlotPick pick_line(const Plot& plot, const PlotLayout& layout, const PlotLook& look, double x, double y) {
    const PlotParallel& lines = *plot.parallel;
    double nearest = look.px(8);
    std::optional<std::size_t> line;
    for (std::size_t i = 0; i < lines.values.front().size(); ++i)
        if (const double far = far_from(lines, layout, i, x, y); far < nearest) {
            nearest = far;
            line = i;
        }
    if (!line) return {};
    PlotPick found{*line < lines.row.size() ? lines.row[*line] : no_row, "", x, y};
    for (std::size_t a = 0; a < lines.axes.size(); ++a)
        found.words += fmt::format("{}{}  {}", a == 0 ? "" : "\n", lines.axes[a].name,
                                   words_on(layout.axes[a], lines.axes[a], lines.values[a][*line]));
    return found;
}

}  // namespace

std::optional<PlotReading> read_at(const Plot& plot, const PlotState& state, const PlotLayout& layout,
                                   CanvasPoint place) {
    using Marks = PlotSeries::Marks;
    const bool steps = !plot.x.names.empty() || plot.x.whole;
    const auto is_read = [&](const PlotSeries& one) {
        const bool line = one.marks == Marks::line || one.marks == Marks::line_and_dots;
        return (line || (steps && one.marks != Marks::samples)) && one.note.empty() && !is_hidden(state, one);
    };
    // Bars side by side at one place are all there, and so is a line that ends half a place further.
    const auto place_of = [&](double x) { return steps ? std::round(x) : x; };
    const double pointed = layout.at_x(layout.x_at(place));
    double at = 0, nearest = HUGE_VAL;
    for (const PlotSeries& one : plot.series)
        for (std::size_t i = 0; i < one.x.size() && is_read(one); ++i)
            if (const double far = std::abs(layout.at_x(place_of(one.x[i])) - pointed); far < nearest) {
                nearest = far;
                at = place_of(one.x[i]);
            }
    if (!std::isfinite(nearest)) return {};
    PlotReading reading{words_on(layout.x, plot.x, at), layout.at_x(at), {}};
    for (std::size_t s = 0; s < plot.series.size(); ++s) {
        const PlotSeries& one = plot.series[s];
        if (!is_read(one)) continue;
        auto point = one.x.end();
        for (auto each = one.x.begin(); each != one.x.end(); ++each)
            if (place_of(*each) == at && (point == one.x.end() || std::abs(*each - at) < std::abs(*point - at)))
                point = each;
        if (point == one.x.end()) continue;
        const auto i = static_cast<std::size_t>(point - one.x.begin());
        reading.values.push_back(
            {s, i, words_of_y(plot, layout, one, height_of(one, i)), layout.at(one.x[i], one.y[i], one.right)});
    }
    return reading;
}

bool PlotReading::has(const PlotPick& pick) const {
    return pick.series && std::ranges::any_of(values, [&](const Value& value) {
               return value.series == *pick.series && value.point == pick.point;
           });
}

PlotPick pick(const Plot& plot, const PlotState& state, const PlotLayout& layout, const PlotLook& look, double x,
              double y) {
    if (is_empty(plot, state)) return {};
    if (plot.cells) return pick_cell(plot, layout, x, y);
    if (plot.parallel) return pick_line(plot, layout, look, x, y);
    return pick_mark(plot, state, layout, look, x, y);
}

std::vector<PlotRow> rows_in(const Plot& plot, const PlotState& state, const PlotLayout& layout, const CanvasBox& box) {
    std::vector<PlotRow> rows;
    if (is_empty(plot, state)) return rows;
    if (plot.cells) {
        const std::size_t columns = plot.x.names.size();
        for (std::size_t at = 0; at < plot.cells->cells.size(); ++at) {
            const auto [x, y] = layout.at(static_cast<double>(at % columns), static_cast<double>(at / columns));
            if (box.holds(x, y)) rows.push_back(plot.cells->cells[at].row);
        }
    } else if (plot.parallel) {
        const PlotParallel& lines = *plot.parallel;
        for (std::size_t i = 0; i < lines.row.size(); ++i)
            for (std::size_t a = 0; a < lines.axes.size(); ++a)
                if (std::isfinite(lines.values[a][i]) &&
                    box.holds(layout.axis_x(a), layout.axis_y(a, lines.values[a][i]))) {
                    rows.push_back(lines.row[i]);
                    break;
                }
    } else {
        for (const PlotSeries& series : plot.series)
            for (std::size_t i = 0; i < series.row.size() && !is_hidden(state, series); ++i)
                if (const auto [x, y] = layout.at(series.x[i], series.y[i], series.right); box.holds(x, y))
                    rows.push_back(series.row[i]);
        for (const PlotRejection& one : plot.rejected)
            if (box.x <= layout.at_x(one.x) && layout.at_x(one.x) <= box.right() &&
                box.bottom() >= layout.area.bottom() - 12)
                rows.push_back(one.row);
    }
    std::erase(rows, no_row);
    return rows;
}

}  // namespace convscope
