// Plots in rows: bars that lie, next to the texts of their rows.
#include <algorithm>
#include <cmath>

#include "visualizers/plots/plot_ranges.h"
#include "visualizers/plots/plot_strokes.h"

namespace convscope {
namespace {

struct RowHeights {
    double least, most;
};

/// Bars stay legible, and are not higher than the words next to them need.
RowHeights row_heights(const Plot& plot, const PlotState& state, const PlotLook& look) {
    const auto shown = std::count_if(plot.series.begin(), plot.series.end(),
                                     [&](const PlotSeries& one) { return !is_hidden(state, one); });
    const auto bars = static_cast<double>(std::max<std::ptrdiff_t>(1, shown));
    return {std::max(look.text + look.px(6), bars * look.px(5) + look.px(6)),
            std::max(2 * look.text + look.px(14), bars * (look.text + look.px(2)) + look.px(12))};
}

double head_height(const PlotLook& look) {
    return look.text + look.px(8);
}
double foot_height(const PlotLook& look) {
    return look.text + look.px(10);
}

std::string at(const std::vector<std::string>& words, std::size_t i) {
    return i < words.size() ? words[i] : std::string();
}

/// One that has no bar says why not.
std::string result_of(const PlotSeries& series, std::size_t row) {
    const std::string reason = at(series.reason, row);
    return reason.empty() ? at(series.result, row) : reason;
}

/// A run without a clock fills its rows, too.
bool has_times(const Plot& plot) {
    return std::any_of(plot.series.begin(), plot.series.end(), [](const PlotSeries& one) {
        return std::any_of(one.y.begin(), one.y.end(), [](double y) { return std::isfinite(y); });
    });
}

bool has_bars(const Plot& plot) {
    return std::any_of(plot.series.begin(), plot.series.end(), [](const PlotSeries& one) { return !one.y.empty(); });
}

}  // namespace

void lay_out_rows(Canvas& canvas, const Plot& plot, const PlotState& state, const PlotLook& look, double legend,
                  PlotLayout& layout) {
    PlotRowsLayout& rows = layout.rows;
    const CanvasBox& box = layout.whole;
    const std::vector<std::string>& names = plot.x.names;
    rows.sight = {box.x, box.y + legend + head_height(look), box.w,
                  std::max(0.0, box.h - legend - head_height(look) - foot_height(look))};
    const auto count = static_cast<double>(std::max<std::size_t>(1, names.size()));
    const RowHeights heights = row_heights(plot, state, look);
    rows.height = std::floor(std::clamp(rows.sight.h / count, heights.least, heights.most));
    rows.needed = rows.height * static_cast<double>(names.size());
    if (rows.needed > rows.sight.h + 1) rows.sight.w -= look.scrollbar;
    rows.two_lines = rows.height >= 2 * look.text + look.px(2);
    for (std::size_t i = 0; i < plot.series.size() && !rows.lead; ++i)
        if (!is_hidden(state, plot.series[i]) && !plot.series[i].result_name.empty()) rows.lead = i;

    double left = look.px(80), right = canvas.text_width("not supported", look.text);
    for (std::size_t i = 0; i < names.size(); ++i) {
        const double first =
            canvas.text_width(names[i], look.text) + look.px(16) + canvas.text_width(at(plot.rows->note, i), look.text);
        const double second = rows.two_lines ? canvas.text_width(at(plot.rows->detail, i), look.text) : 0;
        left = std::max({left, first, second});
        if (rows.lead) right = std::max(right, canvas.text_width(result_of(plot.series[*rows.lead], i), look.text));
    }
    left += look.px(20);
    right = rows.lead ? right + look.px(20) : look.px(12);
    layout.area = {box.x + left, rows.sight.y, std::max(0.0, rows.sight.w - left - right),
                   std::min(rows.needed, rows.sight.h)};

    const bool log = state.log_y.value_or(plot.y.log);
    Extent extent = extent_of(plot, state, false, false, log);
    // A bar's length is its value; on a logarithmic axis it begins a little below the shortest.
    extent.add(log ? extent.low() / 2 : 0, log);
    layout.y = make_plot_axis(plot.y, log, extent, static_cast<int>(std::max(2.0, layout.area.w / look.px(80))));
}

CanvasBox row_box(const PlotLayout& layout, const PlotState& state, std::size_t i) {
    const PlotRowsLayout& rows = layout.rows;
    return {rows.sight.x, rows.sight.y - state.scrolled + rows.height * static_cast<double>(i), rows.sight.w,
            rows.height};
}

double height_of_rows(const Plot& plot, const PlotState& state, const PlotLook& look) {
    return head_height(look) + foot_height(look) +
           static_cast<double>(plot.x.names.size()) * row_heights(plot, state, look).most;
}

void PlotStrokes::rows() const {
    const bool bars = has_bars(plot);
    const CanvasBox &sight = layout.rows.sight, &area = layout.area;
    const double over = sight.y - head_height(look);
    line_of_words(plot.rows->name, sight.x + px(6), over, theme.text_dim);
    if (bars && layout.rows.lead)
        line_of_words(plot.series[*layout.rows.lead].result_name, sight.right() - px(6), over, theme.text_dim,
                      Align::right);
    if (has_times(plot)) {
        line_of_words(layout.y.label, area.x, over, theme.text_dim);
        for (const Tick& tick : layout.y.ticks) {
            if (tick.label.empty()) continue;
            const double x = layout.along_row(tick.value);
            line_of_words(tick.label, x, area.bottom() + px(4), theme.text_dim, Align::centre);
            canvas.line(std::round(x), area.y, std::round(x), area.bottom(), theme.hairline.with_alpha(0.6F),
                        std::max(1.0, px(1)));
        }
    }
    canvas.clip({sight.x, sight.y, sight.w, std::min(layout.rows.needed, sight.h)});
    for (std::size_t i = 0; i < plot.x.names.size(); ++i) {
        const CanvasBox box = row_box(layout, state, i);
        if (box.bottom() < sight.y || box.y > sight.bottom()) continue;
        row_back(box, static_cast<PlotRow>(i));
        row_words(box, i);
        row_bars(box, i);
    }
    canvas.unclip();
    if (!bars && !plot.rows->under_way)
        line_of_words(plot.empty_hint, area.x + area.w / 2, area.y + area.h / 2 - look.text, theme.text_dim,
                      Align::centre);
}

void PlotStrokes::row_back(const CanvasBox& box, PlotRow row) const {
    const bool hovered = emphasis.hovered == row, pinned = emphasis.pinned == row;
    if (hovered || pinned)
        canvas.rectangle(box.x, box.y, box.w, box.h - 1, theme.raised.with_alpha(hovered ? 0.9F : 0.5F));
    if (pinned) canvas.rectangle(box.x, box.y, px(2), box.h - 1, theme.accent);
}

void PlotStrokes::row_words(const CanvasBox& box, std::size_t i) const {
    const bool two = layout.rows.two_lines;
    const double top = box.y + (box.h - (two ? 2 : 1) * look.text) / 2;
    line_of_words(plot.x.names[i], box.x + px(6), top, theme.text);
    line_of_words(at(plot.rows->note, i), layout.area.x - px(14), top, theme.text_dim, Align::right);
    if (two) line_of_words(at(plot.rows->detail, i), box.x + px(6), top + look.text, theme.text_dim);
    if (!layout.rows.lead) return;
    const PlotSeries& lead = plot.series[*layout.rows.lead];
    line_of_words(result_of(lead, i), box.right() - px(6), box.y + (box.h - look.text) / 2,
                  at(lead.reason, i).empty() ? theme.text : theme.text_dim, Align::right);
}

void PlotStrokes::row_bars(const CanvasBox& box, std::size_t i) const {
    const double left = layout.area.x;
    if (plot.rows->under_way == static_cast<PlotRow>(i))
        line_of_words(plot.rows->phase, left + px(6), box.y + (box.h - look.text) / 2, theme.text_dim);
    const auto shown = std::count_if(plot.series.begin(), plot.series.end(),
                                     [&](const PlotSeries& one) { return !is_hidden(state, one); });
    const double each = (box.h - px(6)) / static_cast<double>(std::max<std::ptrdiff_t>(1, shown));
    const double gap = std::min(px(2), each / 4);
    double top = box.y + px(3);
    for (std::size_t s = 0; s < plot.series.size(); ++s) {
        const PlotSeries& one = plot.series[s];
        if (is_hidden(state, one)) continue;
        if (i < one.y.size()) {
            const bool there = std::isfinite(one.y[i]);
            const double end = there ? std::max(layout.along_row(one.y[i]), left + 1) : left;
            const CanvasBox bar{left, top, end - left, each - gap};
            const Rgba color = inks[s];
            // The vendor is neutral everywhere, and not a solid thing.
            const bool hollow = i < one.unsure.size() && one.unsure[i];
            if (there && !hollow) block(bar, color.with_alpha(one.vendor ? 0.45F : 1), false);
            if (there && (hollow || one.vendor)) block(bar, color, true);
            if (each >= look.text)
                line_of_words(there ? words_on(layout.y, plot.y, one.y[i]) : at(one.reason, i), end + px(6),
                              top + (each - gap - look.text) / 2, theme.text_dim);
        }
        top += each;
    }
}

}  // namespace convscope
