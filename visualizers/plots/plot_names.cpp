// Places the series' names: in rows above the plot, or where their lines end.
#include <algorithm>
#include <cmath>

#include "visualizers/plots/plot_ranges.h"

namespace convscope {
namespace {

constexpr double leader = 16;  ///< from a line's end to its name

/// The last point of its line.
std::optional<std::size_t> last_point(const PlotSeries& series) {
    for (std::size_t i = series.y.size(); i-- > 0;)
        if (std::isfinite(series.y[i])) return i;
    return {};
}

double row_height(const PlotLook& look) {
    return look.text + look.px(3);
}

}  // namespace

double lay_out_legend(Canvas& canvas, const Plot& plot, const PlotLook& look, PlotLayout& layout) {
    if (plot.strips || (plot.named_elsewhere && !look.file)) return 0;
    std::vector<std::size_t> named;
    for (std::size_t i = 0; i < plot.series.size(); ++i)
        if (plot.series[i].note.empty()) named.push_back(i);
    if (named.size() < 2 && !(named.size() == 1 && plot.cells)) return 0;
    const double row = std::max(look.px(22), look.text * 1.5), left = layout.whole.x + look.px(8);
    const double more = canvas.text_width("99 more", look.text) + look.px(10);
    // A quarter of the plot at most; one row in any case.
    const int rows = look.file ? 1000 : std::max(1, static_cast<int>(layout.whole.h / 4 / row));
    double x = left;
    int filled = 1;
    for (std::size_t n = 0; n < named.size(); ++n) {
        const std::string& name = plot.series[named[n]].name;
        const double width = look.px(24 + 18) + canvas.text_width(name, look.text);
        if (x + width > layout.whole.right() && x > left && filled < rows) {
            x = left;
            ++filled;
        }
        // In the last row 'more' has to stand as well, where this is not the last name.
        const double needed = width + (filled == rows && n + 1 < named.size() ? more : 0);
        if (x > left && x + needed > layout.whole.right()) {
            layout.unnamed = named.size() - n;
            break;
        }
        layout.legend.push_back({named[n], {x, layout.whole.y + (filled - 1) * row, width - look.px(10), row}, name});
        x += width;
    }
    return filled * row;
}

bool names_fit_at_ends(Canvas& canvas, const Plot& plot, const PlotLook& look, const CanvasBox& whole) {
    constexpr double max_width = 0.3;
    const double room = whole.h - look.px(60);
    const auto fits = [&](const PlotSeries& one) {
        const bool line = one.marks == PlotSeries::Marks::line || one.marks == PlotSeries::Marks::line_and_dots;
        return line && !one.right && canvas.text_width(one.name, look.text) < max_width * whole.w;
    };
    return plot.series.size() > 1 && row_height(look) * static_cast<double>(plot.series.size()) < room &&
           std::all_of(plot.series.begin(), plot.series.end(), fits);
}

double width_of_end_names(Canvas& canvas, const Plot& plot, const PlotLook& look) {
    double widest = 0;
    for (const PlotSeries& one : plot.series) widest = std::max(widest, canvas.text_width(one.name, look.text));
    return look.px(leader + 8) + widest;
}

void lay_out_end_names(Canvas& canvas, const Plot& plot, const PlotState& state, const PlotLook& look,
                       PlotLayout& layout) {
    const CanvasBox& area = layout.area;
    const double row = row_height(look), top = area.y + row / 2, bottom = area.bottom() - row / 2;
    std::vector<PlotLegendEntry>& names = layout.legend;
    for (std::size_t i = 0; i < plot.series.size(); ++i) {
        const PlotSeries& one = plot.series[i];
        const auto last = last_point(one);
        if (!last) continue;
        PlotLegendEntry entry{i, {}, one.name};
        entry.line_x = std::clamp(layout.at_x(one.x[*last]), area.x, area.right());
        entry.line_y = NAN;
        entry.box = {area.right() + look.px(leader - 2), bottom, canvas.text_width(entry.words, look.text) + look.px(4),
                     row};
        if (!is_hidden(state, one))
            entry.box.y = entry.line_y =
                std::clamp(layout.at_y(one.y[*last], one.right), area.y, std::max(area.y, bottom));
        names.push_back(std::move(entry));
    }
    // From the top; those switched off come last.
    std::stable_sort(names.begin(), names.end(), [](const PlotLegendEntry& a, const PlotLegendEntry& b) {
        const bool a_off = std::isnan(a.line_y), b_off = std::isnan(b.line_y);
        return a_off != b_off ? b_off : !a_off && a.line_y < b.line_y;
    });
    const auto room = static_cast<std::size_t>(std::max(1.0, area.h / row));
    if (names.size() > room) {
        layout.unnamed = names.size() - room + 1;  // the first row says how many
        names.erase(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(layout.unnamed));
    }
    // Middles: from the lowest up, then back down from the top where they would leave the plot.
    double free = bottom;
    for (std::size_t i = names.size(); i-- > 0; free = names[i].box.y - row)
        names[i].box.y = std::min(names[i].box.y, free);
    free = layout.unnamed > 0 ? top + row : top;
    for (PlotLegendEntry& name : names) {
        name.box.y = std::max(name.box.y, free);
        free = name.box.y + row;
    }
    for (PlotLegendEntry& name : names) name.box.y -= row / 2;
}

}  // namespace convscope
