#include "visualizers/plots/plot_draw.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <span>

#include "kernels/core/format_units.h"
#include "visualizers/plots/plot_strokes.h"
#include "visualizers/theme/legible.h"

namespace convscope {

void PlotStrokes::mark(const PlotSeries& series, double x, double y, double radius, const Rgba& color) const {
    using Shape = PlotSeries::Shape;
    const double r = radius, width = std::max(1.0, px(1.5));
    auto closed = [&](std::initializer_list<CanvasPoint> points) {
        canvas.polyline(std::span(points.begin(), points.size()), color, width);
    };
    switch (series.shape) {
        case Shape::dot:
            return canvas.dot(x, y, r, color, series.right || series.outlined);
        case Shape::ring:
            return canvas.dot(x, y, r, color, true);
        case Shape::square:
            return canvas.rectangle(x - r, y - r, 2 * r, 2 * r, color);
        case Shape::hollow_square:
            return canvas.outline(x - r, y - r, 2 * r, 2 * r, color);
        case Shape::diamond:
            return closed({{x, y - 1.3 * r}, {x + 1.3 * r, y}, {x, y + 1.3 * r}, {x - 1.3 * r, y}, {x, y - 1.3 * r}});
        case Shape::triangle:
            return closed({{x, y - 1.2 * r}, {x + 1.2 * r, y + r}, {x - 1.2 * r, y + r}, {x, y - 1.2 * r}});
        case Shape::cross:
            canvas.line(x - r, y - r, x + r, y + r, color, width);
            return canvas.line(x - r, y + r, x + r, y - r, color, width);
        case Shape::plus:
            canvas.line(x - r, y, x + r, y, color, width);
            return canvas.line(x, y - r, x, y + r, color, width);
    }
}

void PlotStrokes::block(const CanvasBox& box, const Rgba& color, bool hollow) const {
    if (hollow)
        canvas.outline(box.x, box.y, box.w, box.h, color);
    else
        canvas.rectangle(box.x, box.y, box.w, box.h, color);
}

void PlotStrokes::ring(double x, double y, PlotRow row) const {
    if (row == no_row) return;
    if (row == plot.best) canvas.dot(x, y, px(7), theme.accent, true);
    if (std::find(plot.tied.begin(), plot.tied.end(), row) != plot.tied.end())
        canvas.dot(x, y, px(6), theme.accent.with_alpha(0.5F), true);
    if (row == emphasis.pinned || row == emphasis.hovered) canvas.dot(x, y, px(6), theme.text, true);
}

void PlotStrokes::legend() const {
    if (layout.unnamed > 0)
        line_of_words(fmt::format("{} more", layout.unnamed), layout.area.right() + px(18), layout.area.y,
                      theme.text_dim);
    for (const PlotLegendEntry& entry : layout.legend) {
        if (layout.names_at_ends) {
            end_name(entry);
            continue;
        }
        const PlotSeries& one = plot.series[entry.series];
        const bool off = is_hidden(state, one);
        const double middle = entry.box.y + entry.box.h / 2;
        const Rgba color = off ? theme.hairline : inks[entry.series];
        if (one.marks == PlotSeries::Marks::bars)
            block({entry.box.x + px(4), middle - px(5), px(10), px(10)}, color, one.outlined);
        else if (one.marks == PlotSeries::Marks::dots)
            mark(one, entry.box.x + px(9), middle, px(4), color);
        else
            canvas.line(entry.box.x, middle, entry.box.x + px(18), middle, color, px(3), one.vendor || one.dashed);
        words(entry.words, entry.box.x + px(24), middle + look.text * 0.36, off ? theme.text_dim : theme.text);
    }
}

/// Led to its line where others are in the way.
void PlotStrokes::end_name(const PlotLegendEntry& entry) const {
    const Rgba color = inks[entry.series];
    const bool off = std::isnan(entry.line_y);
    const double x = entry.box.x + px(2), middle = entry.box.y + entry.box.h / 2;
    if (!off) canvas.line(entry.line_x, entry.line_y, x - px(4), middle, color.with_alpha(0.8F), std::max(1.0, px(1)));
    line_of_words(entry.words, x, middle - look.text / 2, off ? theme.text_dim : legible(color, theme.panel));
}

/// What is wrong, or how many samples are off the axis: a few slow ones must not flatten all the others, but they are
/// not left out in silence.
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
        if (above > 0) text = fmt::format("{} of {} {}s above", format_count(above), format_count(all), plot.x.name);
    }
    const double first = layout.whole.x + px(8 + 16) + canvas.text_width(layout.y.label, look.text);
    line_of_words(text, std::max(first, layout.area.right() - canvas.text_width(text, look.text)), top,
                  plot.warning.empty() ? theme.text_dim : theme.warning);
}

void PlotStrokes::axes() const {
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

bool PlotStrokes::gives_way(const Tick& tick) const {
    return plot.reference && std::abs(layout.at_y(tick.value) - layout.at_y(*plot.reference)) < 1.1 * look.text;
}

/// A line at 1 that no number stands beside could be at anything.
void PlotStrokes::reference_label() const {
    if (!plot.reference) return;
    const double y = std::round(layout.at_y(*plot.reference));
    if (y < layout.area.y || y > layout.area.bottom()) return;
    words(fmt::format("{:g}", *plot.reference), layout.area.x - px(8), y + look.text * 0.36, theme.text_dim,
          Align::right);
}

/// Upwards to the axis; where there is no room for all of it, its middle is left out.
void PlotStrokes::turned_name(std::string name, double x) const {
    const double from = layout.area.bottom() + px(6), room = layout.whole.bottom() - look.text * 1.35 - from;
    const std::string whole = name;
    for (std::size_t kept = whole.size(); kept-- > 4 && canvas.text_width(name, look.text) > room;)
        name = whole.substr(0, kept / 2) + ".." + whole.substr(whole.size() - (kept - kept / 2));
    canvas.text(name, x, from + canvas.text_width(name, look.text), look.text, theme.text_dim, Align::left, false,
                true);
}

void PlotStrokes::rejected() const {
    const double y = layout.area.bottom() - px(8), arm = px(3);
    for (const PlotRejection& one : plot.rejected) {
        const double x = layout.at_x(one.x);
        const bool lit = one.row != no_row && (one.row == emphasis.hovered || one.row == emphasis.pinned);
        const Rgba color = lit ? theme.text : !emphasis.lit(one.row) ? theme.hairline : theme.text_dim;
        canvas.line(x - arm, y - arm, x + arm, y + arm, color, px(1.5));
        canvas.line(x - arm, y + arm, x + arm, y - arm, color, px(1.5));
    }
}

void PlotStrokes::notes() const {
    for (const PlotNote& one : plot.notes) {
        const double w = canvas.text_width(one.text, look.text), left = layout.at_x(one.x) + px(8);
        const double x = std::min(left, layout.area.right() - w - px(4));
        const double y = std::max(layout.at_y(one.y, one.right) - px(8), layout.area.y + look.text);
        canvas.rectangle(x - px(2), y - look.text, w + px(4), look.text * 1.3, theme.panel.with_alpha(0.75F));
        words(one.text, x, y, theme.text);
    }
}

void draw_plot(Canvas& canvas, const Plot& plot, const PlotState& state, const PlotLayout& layout, const PlotLook& look,
               const PlotEmphasis& emphasis) {
    const PlotStrokes strokes{canvas, plot, state, layout, look, emphasis, *look.theme, inks_of(plot, *look.theme)};
    strokes.legend();
    if (layout.area.w < look.px(24) || layout.area.h < look.px(24)) return;
    if (plot.rows) return strokes.rows();
    if (is_empty(plot, state)) {
        const bool switched_off = !plot.series.empty() && !plot.cells && !plot.parallel;
        const std::string hint =
            !switched_off ? plot.empty_hint : "Everything is switched off: click a name to see it again.";
        const CanvasBox& whole = layout.whole;
        if (!plot.names_at_ends)
            return strokes.words(hint, whole.x + whole.w / 2, whole.y + whole.h / 2, look.theme->text_dim,
                                 Align::centre);
        return strokes.line_of_words(hint, layout.area.x + layout.area.w / 2,
                                     layout.area.y + layout.area.h / 2 - look.text, look.theme->text_dim,
                                     Align::centre);
    }
    if (plot.parallel) return strokes.parallel();
    strokes.axes();
    // Marks on the edge are drawn whole.
    const double out = plot.cells ? 0 : look.px(6);
    canvas.clip({layout.area.x - out, layout.area.y - out, layout.area.w + 2 * out, layout.area.h + 2 * out});
    if (plot.cells) {
        strokes.cells();
    } else {
        strokes.series();
        strokes.rejected();
        strokes.notes();
    }
    canvas.unclip();
    if (layout.has_colors) strokes.value_scale();
}

}  // namespace convscope
