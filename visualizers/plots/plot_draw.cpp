#include "visualizers/plots/plot_draw.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <span>
#include <vector>

#include "kernels/core/format_units.h"
#include "kernels/core/text.h"
#include "visualizers/plots/plot_notes.h"
#include "visualizers/plots/plot_strokes.h"
#include "visualizers/theme/legible.h"

namespace convscope {

void PlotStrokes::mark(const PlotSeries& series, const CanvasPoint& at, double radius, const Rgba& color) const {
    using Shape = PlotSeries::Shape;
    const double x = at.x, y = at.y, r = radius, width = std::max(1.0, px(1.5));
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

void PlotStrokes::ring(const CanvasPoint& at, PlotRow row) const {
    if (row == no_row) return;
    const auto [x, y] = at;
    if (row == plot.best) canvas.dot(x, y, px(7), theme.accent, true);
    if (std::find(plot.tied.begin(), plot.tied.end(), row) != plot.tied.end())
        canvas.dot(x, y, px(6), theme.accent.with_alpha(0.5F), true);
    if (row == emphasis.pinned || row == emphasis.hovered) canvas.dot(x, y, px(6), theme.text, true);
}

void PlotStrokes::legend() const {
    if (plot.strips) return;  // the axis names them
    if (layout.unnamed > 0) {
        const std::string more = fmt::format("{} more", layout.unnamed);
        if (layout.names_at_ends)
            line_of_words(more, layout.area.right() + px(18), layout.area.y, theme.text_dim);
        else if (const CanvasBox& last = layout.legend.back().box; true)
            words(more, last.right() + px(10), last.y + last.h / 2 + look.text * 0.36, theme.text_dim);
    }
    for (const PlotLegendEntry& entry : layout.legend) {
        if (layout.names_at_ends) {
            end_name(entry);
            continue;
        }
        const PlotSeries& one = plot.series[entry.series];
        const bool off = is_hidden(state, one);
        const double middle = entry.box.y + entry.box.h / 2;
        const Rgba color = off ? theme.hairline : inks[entry.series];
        swatch(one, entry.box.x, middle, color);
        words(entry.words, entry.box.x + px(24), middle + look.text * 0.36, off ? theme.text_dim : theme.text);
    }
}

void PlotStrokes::swatch(const PlotSeries& one, double x, double middle, const Rgba& color) const {
    if (one.marks == PlotSeries::Marks::bars)
        block({x + px(4), middle - px(5), px(10), px(10)}, color, one.outlined);
    else if (one.marks == PlotSeries::Marks::dots)
        mark(one, {x + px(9), middle}, px(4), color);
    else
        canvas.line(x, middle, x + px(18), middle, color, px(3), one.vendor || one.dashed);
}

/// Led to its line where others are in the way.
void PlotStrokes::end_name(const PlotLegendEntry& entry) const {
    const Rgba color = inks[entry.series];
    const bool off = std::isnan(entry.line_y);
    const double x = entry.box.x + px(2), middle = entry.box.y + entry.box.h / 2;
    if (!off) canvas.line(entry.line_x, entry.line_y, x - px(4), middle, color.with_alpha(0.8F), std::max(1.0, px(1)));
    line_of_words(entry.words, x, middle - look.text / 2, off ? theme.text_dim : legible(color, theme.panel));
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
    for (const PlacedNote& one : place_notes(canvas, plot, state, layout, look)) {
        const CanvasBox& box = one.box;
        const double middle = box.y + box.h / 2;
        const bool beside = one.of.x < box.x || one.of.x > box.right();
        const double end = beside ? middle : one.of.y < middle ? box.y : box.bottom();
        if (one.led)
            canvas.line(std::clamp(one.of.x, box.x, box.right()), end, one.of.x, one.of.y, theme.text_dim,
                        std::max(1.0, px(1)));
        canvas.rectangle(box.x, box.y, box.w, box.h, theme.panel.with_alpha(0.75F));
        words(one.text, box.x + px(2), middle + look.text * 0.36, theme.text);
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
        const CanvasBox& box = layout.whole;
        const std::vector<std::string> lines = split(hint, '\n');
        double y = box.y + box.h / 2 - 0.75 * look.text * static_cast<double>(lines.size() - 1);
        for (const std::string& line : lines) {
            strokes.words(strokes.fitted(line, box.w), box.x + box.w / 2, y, look.theme->text_dim, Align::centre);
            y += 1.5 * look.text;
        }
        return;
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
