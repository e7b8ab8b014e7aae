// A map of cells, its scale of colours, and parallel coordinates.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "visualizers/plots/plot_strokes.h"

namespace convscope {
namespace {

constexpr double cell_line = 1.25;  ///< of text in a cell
constexpr float min_share = 0.08F;  ///< viridis begins almost black: on a dark panel its ends must be seen

Rgba ramp(const Theme& theme, double share) {
    const auto t = static_cast<float>(std::clamp(share, 0.0, 1.0));
    return theme.value(min_share + t * (1 - min_share), {0, 1});
}

/// Below 1 and above 1 on two sides of a neutral middle.
Rgba diverge(const Theme& theme, double share) {
    const auto t = static_cast<float>(std::clamp(share, 0.0, 1.0));
    return theme.value(2 * t - 1, {-1, 1});
}

Rgba color_of(const PlotStrokes& s, const PlotCell& cell) {
    for (std::size_t i = 0; i < s.plot.series.size() && !cell.series.empty(); ++i)
        if (s.plot.series[i].name == cell.series) return s.inks[i];
    const double share = s.layout.colors.share(cell.value);
    return s.plot.cells->ratio ? diverge(s.theme, share) : ramp(s.theme, share);
}

/// The words in lines that fit into a cell, broken at spaces; empty where they do not.
std::vector<std::string> lines_in(const PlotStrokes& s, const CanvasBox& box, const std::string& words) {
    // Cells differ by a pixel: what fits into one fits into all.
    const double width = std::floor(s.layout.area.w / static_cast<double>(s.plot.x.names.size())) - 1;
    const auto fits = [&](const std::string& line) {
        return s.canvas.text_width(line, s.look.text) + s.px(4) <= width;
    };
    std::vector<std::string> lines;
    std::istringstream all(words);
    for (std::string word; all >> word;) {
        if (!fits(word)) return {};
        if (!lines.empty() && fits(lines.back() + ' ' + word))
            lines.back() += ' ' + word;
        else
            lines.push_back(word);
    }
    const double height = s.px(4) + s.look.text * cell_line * static_cast<double>(lines.size());
    if (box.h < std::max(s.px(20), height)) return {};
    return lines;
}

void write_lines(const PlotStrokes& s, const CanvasBox& box, const std::vector<std::string>& lines, const Rgba& color) {
    const double line = s.look.text * cell_line;
    double baseline = box.y + box.h / 2 - line * (static_cast<double>(lines.size()) - 1) / 2 + s.look.text * 0.36;
    for (const std::string& each : lines) {
        s.words(each, box.x + box.w / 2, baseline, color, Align::centre);
        baseline += line;
    }
}

/// Grey and hatched: it cannot be. Only outlined: not measured.
void empty_cell(const PlotStrokes& s, const CanvasBox& box, const PlotCell& cell) {
    if (cell.reason.empty()) {
        s.canvas.outline(box.x, box.y, box.w, box.h, s.theme.hairline);
        return write_lines(s, box, lines_in(s, box, cell.text), s.theme.text_dim);
    }
    s.canvas.rectangle(box.x, box.y, box.w, box.h, s.theme.zero);
    s.canvas.clip(box);
    const double step = s.px(6), span = box.w + box.h;
    for (double at = step; at < span; at += step)
        s.canvas.line(box.x + at, box.y, box.x + at - box.h, box.y + box.h, s.theme.hatch, s.px(1.5));
    s.canvas.unclip();
}

void full_cell(const PlotStrokes& s, const CanvasBox& box, const PlotCell& cell) {
    Rgba color = color_of(s, cell);
    if (!s.emphasis.lit(cell.row)) color = mix(color, s.theme.panel, 0.75F);
    s.canvas.rectangle(box.x, box.y, box.w, box.h, color);
    const std::string words =
        cell.text.empty() ? words_on(s.layout.colors, s.plot.cells->value, cell.value) : cell.text;
    std::vector<std::string> lines = lines_in(s, box, words);
    // The colour names the series, too.
    const bool named = words.starts_with(cell.series + " ") && std::isdigit(words[cell.series.size() + 1]) != 0;
    if (lines.empty() && named) lines = lines_in(s, box, words.substr(cell.series.size() + 1));
    write_lines(s, box, lines, readable_on(color));
}

void frame_cell(const PlotStrokes& s, const CanvasBox& box, const PlotCell& cell) {
    if (cell.row == no_row) return;
    auto around = [&](double out, const Rgba& color) {
        s.canvas.outline(box.x - out, box.y - out, box.w + 2 * out, box.h + 2 * out, color);
    };
    const bool tied = std::find(s.plot.tied.begin(), s.plot.tied.end(), cell.row) != s.plot.tied.end();
    if (tied || cell.row == s.plot.best) around(0, s.theme.accent);
    if (cell.row == s.plot.best) {
        around(-1, s.theme.accent);
        around(1, s.theme.accent);
    }
    if (cell.row == s.emphasis.pinned || cell.row == s.emphasis.hovered) {
        around(0, s.theme.text);
        around(1, s.theme.text);
    }
}

/// The value that all cells share, if they do.
std::optional<double> value_of_all(const PlotCells& cells) {
    std::vector<double> values;
    for (const PlotCell& cell : cells.cells)
        if (std::isfinite(cell.value)) values.push_back(cell.value);
    const bool differ = std::ranges::adjacent_find(values, std::ranges::not_equal_to()) != values.end();
    return values.size() < 2 || differ ? std::nullopt : std::optional(values.front());
}

}  // namespace

CanvasBox cell_box(const PlotLayout& layout, std::size_t i, std::size_t j) {
    const auto x = static_cast<double>(i), y = static_cast<double>(j);
    const double left = std::round(layout.at_x(x - 0.5)), right = std::round(layout.at_x(x + 0.5));
    const double top = std::round(layout.at_y(y + 0.5)), bottom = std::round(layout.at_y(y - 0.5));
    const double gap = right - left > 6 && bottom - top > 6 ? 1 : 0;
    return {left, top, right - left - gap, bottom - top - gap};
}

void PlotStrokes::cells() const {
    const std::size_t columns = plot.x.names.size();
    for (const bool frames : {false, true})
        for (std::size_t at = 0; at < plot.cells->cells.size() && columns > 0; ++at) {
            const PlotCell& cell = plot.cells->cells[at];
            const CanvasBox box = cell_box(layout, at % columns, at / columns);
            if (frames)
                frame_cell(*this, box, cell);
            else if (std::isfinite(cell.value))
                full_cell(*this, box, cell);
            else
                empty_cell(*this, box, cell);
        }
}

void PlotStrokes::value_scale() const {
    const CanvasBox& area = layout.area;
    const double x = area.right() + px(16), width = px(12);
    const auto color_at = [&](double share) { return plot.cells->ratio ? diverge(theme, share) : ramp(theme, share); };
    if (const std::optional<double> all = value_of_all(*plot.cells)) {
        const PlotScale& scale = plot.cells->value;
        canvas.rectangle(x, area.y, width, width, color_at(layout.colors.share(*all)));
        words(words_on(layout.colors, scale, *all), x + width + px(6), area.y + width / 2 + look.text * 0.36,
              theme.text_dim);
        words(scale.name + ": the same everywhere", layout.whole.right() - px(4), area.y - px(8), theme.text_dim,
              Align::right);
        return;
    }
    constexpr int steps = 48;
    const double step = area.h / steps;
    for (int i = 0; i < steps; ++i)
        canvas.rectangle(x, area.bottom() - (i + 1) * step, width, step + 0.5, color_at((i + 0.5) / steps));
    for (const Tick& tick : layout.colors.ticks)
        if (!tick.label.empty())
            words(tick.label, x + width + px(6),
                  area.bottom() - layout.colors.share(tick.value) * area.h + look.text * 0.36, theme.text_dim);
    words(layout.colors.label, layout.whole.right() - px(4), area.y - px(8), theme.text_dim, Align::right);
}

void PlotStrokes::parallel() const {
    const PlotParallel& lines = *plot.parallel;
    const std::size_t count = lines.values.front().size();
    std::vector<CanvasPoint> points;
    auto draw = [&](std::size_t i, const Rgba& color, double width) {
        points.clear();
        for (std::size_t a = 0; a < lines.axes.size(); ++a)
            if (const double value = lines.values[a][i]; std::isfinite(value))
                points.push_back({layout.axis_x(a), layout.axis_y(a, value)});
        if (points.size() > 1) canvas.polyline(points, color, width);
    };
    auto row = [&](std::size_t i) { return i < lines.row.size() ? lines.row[i] : no_row; };
    for (const bool lit : {false, true})
        for (std::size_t i = 0; i < count; ++i) {
            if (emphasis.lit(row(i)) != lit) continue;
            const double value = lines.values[lines.colour_axis][i];
            const Rgba color = std::isfinite(value) ? theme.ordered(layout.colors.share(value)) : theme.text_dim;
            draw(i, lit ? color : theme.hairline.with_alpha(0.5F), px(1.5));
        }
    for (std::size_t i = 0; i < count && !lines.row.empty(); ++i) {
        if (row(i) == plot.best) draw(i, theme.accent, px(3));
        if (row(i) == emphasis.pinned || row(i) == emphasis.hovered) draw(i, theme.text, px(2.5));
    }
    // Names that do not fit side by side stand in two rows.
    bool staggered = false;
    for (std::size_t a = 0; a + 1 < lines.axes.size(); ++a)
        staggered |= (canvas.text_width(layout.axes[a].label, look.text) +
                      canvas.text_width(layout.axes[a + 1].label, look.text)) /
                             2 +
                         px(8) >
                     layout.axis_x(a + 1) - layout.axis_x(a);
    for (std::size_t a = 0; a < lines.axes.size(); ++a) {
        const double x = layout.axis_x(a);
        canvas.line(x, layout.area.y, x, layout.area.bottom(), theme.text_dim, std::max(1.0, px(1)));
        const double up = staggered && a % 2 == 1 ? look.text * 1.2 : 0;
        words(layout.axes[a].label, x, layout.area.y - px(10) - up, theme.text, Align::centre);
        for (const Tick& tick : layout.axes[a].ticks) {
            if (tick.label.empty()) continue;
            const double y = layout.axis_y(a, tick.value), w = canvas.text_width(tick.label, look.text);
            canvas.rectangle(x - px(8) - w, y - look.text * 0.6, w + px(4), look.text * 1.2,
                             theme.panel.with_alpha(0.7F));
            canvas.line(x - px(4), y, x, y, theme.text_dim, std::max(1.0, px(1)));
            words(tick.label, x - px(6), y + look.text * 0.36, theme.text_dim, Align::right);
        }
    }
}

}  // namespace convscope
