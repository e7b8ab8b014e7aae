// Axes with their ticks, names and remarks.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernels/core/format_units.h"
#include "visualizers/plots/name_lines.h"
#include "visualizers/plots/plot_strokes.h"
#include "visualizers/theme/legible.h"

namespace convscope {

/// Writes the problem, or the number of samples off the axis: a few slow ones must not flatten all the others, but they
/// must not vanish silently.
void PlotStrokes::remark() const {
    const double top = layout.area.y - px(22);
    std::string text = plot.warning;
    if (text.empty()) {
        std::int64_t above = 0, all = 0;
        for (const PlotSeries& one : plot.series) {
            if (one.marks != PlotSeries::Marks::samples || is_hidden(state, one)) continue;
            all += static_cast<std::int64_t>(one.y.size());
            above += std::count_if(one.y.begin(), one.y.end(), [&](double y) { return y > layout.y.range.high; });
        }
        if (above > 0) text = fmt::format("{} of {} samples above", format_count(above), format_count(all));
    }
    const double first = layout.whole.x + px(8 + 16) + canvas.text_width(layout.y.label, look.text);
    const double room = layout.whole.right() - first;
    if (canvas.text_width(text, look.text) > room) {
        while (!text.empty() && canvas.text_width(text + "...", look.text) > room) text.pop_back();
        text += "...";
    }
    line_of_words(text, std::max(first, layout.area.right() - canvas.text_width(text, look.text)), top,
                  plot.warning.empty() ? theme.text_dim : theme.warning);
}

void PlotStrokes::axes() const {
    if (layout.lying) return lying_axes();
    const CanvasBox& area = layout.area;
    const double half = look.text * 0.36, hair = std::max(1.0, px(1));
    const Rgba grid = theme.hairline.with_alpha(0.6F);
    for (const Tick& tick : layout.y.ticks) {
        if (tick.label.empty()) continue;
        const double y = std::round(layout.at_y(tick.value));
        if (!plot.cells) canvas.line(area.x, y, area.right(), y, grid, hair);
        if (!gives_way(tick)) words(tick.label, area.x - px(8), y + half, theme.text_dim, Align::right);
    }
    reference_label();
    if (layout.has_right)
        for (const Tick& tick : layout.right.ticks)
            if (!tick.label.empty())
                words(tick.label, area.right() + px(8), layout.at_y(tick.value, true) + half, theme.text_dim);
    const double below = area.bottom() + px(4) + look.text;
    for (const Tick& tick : layout.x.ticks) {
        if (tick.label.empty()) continue;
        const double x = std::round(layout.at_x(tick.value)), w = canvas.text_width(tick.label, look.text);
        if (!plot.cells) canvas.line(x, area.bottom(), x, area.bottom() + px(4), theme.hairline, hair);
        if (layout.turned_names)
            turned_name(tick.label, x + half);
        else if (layout.broken_names > 0)
            broken_name(tick.label, x, below);
        else
            words(tick.label, std::min(x - w / 2, layout.whole.right() - w), below, theme.text_dim);
    }
    if (!plot.cells) canvas.line(area.x, area.bottom(), area.right(), area.bottom(), theme.hairline, hair);
    const double above = area.y - px(8);
    words(layout.y.label, layout.whole.x + px(8), above, theme.text_dim);
    if (layout.has_right) words(layout.right.label, layout.whole.right() - px(4), above, theme.text_dim, Align::right);
    if (layout.x_name_beside)
        words(layout.x.label, layout.whole.x, below, theme.text_dim);
    else
        words(layout.x.label, area.x + area.w / 2, layout.whole.bottom() - look.text * 0.36, theme.text_dim,
              Align::centre);
    remark();
}

/// Names in a column, values along the bottom.
void PlotStrokes::lying_axes() const {
    const CanvasBox& area = layout.area;
    const double half = look.text * 0.36, hair = std::max(1.0, px(1)), left = layout.whole.x + px(4);
    const double below = area.bottom() + px(4) + look.text;
    for (const Tick& tick : layout.y.ticks) {
        if (tick.label.empty()) continue;
        const double x = std::round(layout.at_y(tick.value));
        canvas.line(x, area.y, x, area.bottom(), theme.hairline.with_alpha(0.6F), hair);
        if (!gives_way(tick)) words(tick.label, x, below, theme.text_dim, Align::centre);
    }
    reference_label();
    for (const Tick& tick : layout.x.ticks)
        words(fitted(tick.label, area.x - px(8) - left), area.x - px(8), layout.at_x(tick.value) + half, theme.text_dim,
              Align::right);
    canvas.line(area.x, area.y, area.x, area.bottom(), theme.hairline, hair);
    if (plot.strips) {
        words(layout.y.label, layout.whole.x + px(8), area.y - px(8), theme.text_dim);
        strip_ends();
        return remark();
    }
    words(layout.x.label, left, area.y - px(6), theme.text_dim);
    words(layout.y.label, area.x + area.w / 2, layout.whole.bottom() - half, theme.text_dim, Align::centre);
}

void PlotStrokes::strip_ends() const {
    for (std::size_t i = 0; i < plot.series.size() && layout.end_words > 0; ++i) {
        const PlotSeries& one = plot.series[i];
        if (one.end_words.empty() || is_hidden(state, one)) continue;
        words(one.end_words, layout.area.right() + px(16), layout.at_x(std::round(one.x.front())) + look.text * 0.36,
              legible(inks[i], theme.panel));
    }
}

bool PlotStrokes::gives_way(const Tick& tick) const {
    if (!plot.reference) return false;
    const double apart = layout.lying ? canvas.text_width(tick.label, look.text) + px(8) : 1.1 * look.text;
    return std::abs(layout.at_y(tick.value) - layout.at_y(*plot.reference)) < apart;
}

/// A line at 1 that no number stands next to could be at anything.
void PlotStrokes::reference_label() const {
    if (!plot.reference) return;
    const CanvasBox& area = layout.area;
    const double at = std::round(layout.at_y(*plot.reference));
    const std::string label = fmt::format("{:g}", *plot.reference);
    if (layout.lying && at >= area.x && at <= area.right())
        words(label, at, area.bottom() + px(4) + look.text, theme.text_dim, Align::centre);
    if (!layout.lying && at >= area.y && at <= area.bottom())
        words(label, area.x - px(8), at + look.text * 0.36, theme.text_dim, Align::right);
}

/// Cuts the middle of a name that does not fit.
std::string PlotStrokes::fitted(const std::string& name, double room) const {
    std::string shown = name;
    for (std::size_t kept = name.size(); kept-- > 4 && canvas.text_width(shown, look.text) > room;)
        shown = name.substr(0, kept / 2) + ".." + name.substr(name.size() - (kept - kept / 2));
    return shown;
}

void PlotStrokes::broken_name(const std::string& name, double x, double y) const {
    for (const std::string& line : name_lines(canvas, name, look.text, layout.broken_names)) {
        words(line, x, y, theme.text_dim, Align::centre);
        y += 1.35 * look.text;
    }
}

/// Upwards to the axis.
void PlotStrokes::turned_name(const std::string& name, double x) const {
    const double from = layout.area.bottom() + px(6);
    const std::string shown = fitted(name, layout.whole.bottom() - look.text * 1.35 - from);
    canvas.text(shown, x, from + canvas.text_width(shown, look.text), look.text, theme.text_dim, Align::left, false,
                true);
}

}  // namespace convscope
