#include "visualizers/plots/plot_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "kernels/files/text_file.h"
#include "kernels/records/csv_text.h"
#include "visualizers/plots/file_canvas.h"
#include "visualizers/plots/plot_text.h"

namespace convscope {
namespace {

constexpr double margin = 16, page_text = 12;

/// A subtitle may be several lines.
double head_of(const Plot& plot) {
    constexpr double line = 20;
    const double lines = plot.subtitle.empty() ? 0 : 1 + static_cast<double>(std::ranges::count(plot.subtitle, '\n'));
    return margin + (plot.title.empty() ? 0 : 24) + line * lines;
}

PlotLook look_of(const PlotPage& page) {
    return {page.theme, page_text, 1, 0, true};
}

/// As high as all rows need, where the plot has any.
PlotPage fitted(const Plot& plot, const PlotState& state, PlotPage page) {
    constexpr double legend = 2 * page_text;
    if (plot.rows)
        page.height = static_cast<int>(head_of(plot) + legend + height_of_rows(plot, state, look_of(page)) + margin);
    return page;
}

void draw_page(FileCanvas& canvas, const Plot& plot, const PlotState& state, const PlotPage& page,
               const PlotEmphasis& emphasis) {
    const PlotLook look = look_of(page);
    PlotState from_the_top = state;
    from_the_top.scrolled = 0;
    const double top = head_of(plot);
    if (!plot.title.empty()) canvas.text(plot.title, margin, margin + 14, 16, page.theme->text, Align::left, true);
    std::istringstream lines(plot.subtitle);
    double baseline = margin + (plot.title.empty() ? 10 : 34);
    for (std::string line; std::getline(lines, line); baseline += 20)
        canvas.text(line, margin, baseline, page_text, page.theme->text_dim);
    const CanvasBox box{margin, top, page.width - 2 * margin, page.height - top - margin};
    draw_plot(canvas, plot, from_the_top, lay_out(canvas, plot, from_the_top, look, box), look, emphasis);
}

std::string page_svg(const PlotPage& page, const DrawPage& draw, const CanvasPoint& corner = {}) {
    FileCanvas canvas(cairo_image_surface_create(CAIRO_FORMAT_RGB24, 1, 1), page.theme->panel);
    canvas.record_svg();
    draw(canvas);
    return fmt::format(
        "<svg xmlns='http://www.w3.org/2000/svg' width='{0}' height='{1}' viewBox='{4} {5} {0} {1}' "
        "font-family='Inter, sans-serif' xml:space='preserve'>\n<rect x='{4}' y='{5}' width='100%' height='100%' "
        "fill='{2}'/>\n{3}</svg>\n",
        page.width, page.height, hex(page.theme->panel), canvas.svg(), corner.x, corner.y);
}

void write_page_png(const PlotPage& page, const DrawPage& draw, const std::filesystem::path& path, double scale,
                    const CanvasPoint& corner) {
    auto pixels = [scale](int size) { return static_cast<int>(std::lround(size * scale)); };
    cairo_surface_t* surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, pixels(page.width), pixels(page.height));
    FileCanvas canvas(surface, page.theme->panel);
    canvas.set_scale(scale);
    canvas.move_to_corner(corner);
    draw(canvas);
    require_written(canvas.finish(), path);
    const cairo_status_t status = cairo_surface_write_to_png(surface, path.c_str());
    require_written(status == CAIRO_STATUS_SUCCESS ? "" : cairo_status_to_string(status), path);
}

/// "time_us": the name and the unit as a column's.
std::string column(const PlotScale& scale) {
    std::string name = scale.name;
    if (!scale.unit.empty()) name += fmt::format("_{}", scale.unit == "%" ? "pct" : scale.unit);
    for (char& c : name)
        if (c == ' ' || c == '/') c = '_';
    return csv_quote(name);
}

std::string value_of(const PlotScale& scale, double value) {
    if (!std::isfinite(value)) return {};
    return scale.names.empty() ? fmt::format("{}", value) : csv_quote(plot_words(scale, value));
}

std::string csv_of_series(const Plot& plot) {
    bool spread = false;
    const auto in_file = [](const PlotSeries& series) { return series.marks != PlotSeries::Marks::level; };
    for (const PlotSeries& series : plot.series) spread |= in_file(series) && !series.low.empty();
    // Values on the right axis are another quantity; the series' name says which.
    std::string text = fmt::format("series,{},{}{},status_reason\r\n", plot.strips ? "sample" : column(plot.x),
                                   plot.right.name.empty() ? column(plot.y) : "value", spread ? ",q1,q3" : "");
    for (const PlotSeries& series : plot.series)
        for (std::size_t i = 0; i < series.x.size() && in_file(series); ++i) {
            text += fmt::format("{},{},{}", csv_quote(series.name),
                                plot.strips ? std::to_string(static_cast<std::int64_t>(i) * series.stride)
                                            : value_of(plot.x, series.x[i]),
                                value_of(series.right ? plot.right : plot.y, series.y[i]));
            if (spread)
                text += i < series.low.size()
                            ? fmt::format(",{},{}", value_of(plot.y, series.low[i]), value_of(plot.y, series.high[i]))
                            : std::string(",,");
            text += ",\r\n";
        }
    for (const PlotRejection& one : plot.rejected)
        text += fmt::format(",{},{},{}\r\n", value_of(plot.x, one.x), spread ? ",," : "", csv_quote(one.reason));
    return text;
}

std::string csv_of_cells(const Plot& plot) {
    std::string text =
        fmt::format("{},{},{},note,status_reason\r\n", column(plot.x), column(plot.y), column(plot.cells->value));
    const std::size_t columns = plot.x.names.size();
    for (std::size_t i = 0; i < plot.cells->cells.size(); ++i) {
        const PlotCell& cell = plot.cells->cells[i];
        text += fmt::format("{},{},{},{},{}\r\n", csv_quote(plot.x.names[i % columns]),
                            csv_quote(plot.y.names[i / columns]), value_of(plot.cells->value, cell.value),
                            csv_quote(cell.text), csv_quote(cell.reason));
    }
    return text;
}

std::string csv_of_lines(const PlotParallel& lines) {
    std::string text;
    for (std::size_t a = 0; a < lines.axes.size(); ++a)
        text += fmt::format("{}{}", a == 0 ? "" : ",", column(lines.axes[a]));
    text += "\r\n";
    for (std::size_t i = 0; !lines.values.empty() && i < lines.values.front().size(); ++i) {
        for (std::size_t a = 0; a < lines.axes.size(); ++a)
            text += fmt::format("{}{}", a == 0 ? "" : ",", value_of(lines.axes[a], lines.values[a][i]));
        text += "\r\n";
    }
    return text;
}

}  // namespace

std::string plot_svg(const Plot& plot, const PlotState& state, const PlotPage& least, const PlotEmphasis& emphasis) {
    const PlotPage page = fitted(plot, state, least);
    return page_svg(page, [&](FileCanvas& canvas) { draw_page(canvas, plot, state, page, emphasis); });
}

void write_page(const PlotPage& page, const DrawPage& draw, const std::filesystem::path& path, double scale,
                const CanvasPoint& corner) {
    if (path.extension() == ".svg")
        write_text_file(path, page_svg(page, draw, corner));
    else
        write_page_png(page, draw, path, scale, corner);
}

void write_plot(const Plot& plot, const PlotState& state, const PlotPage& least, const std::filesystem::path& path,
                double scale, const PlotEmphasis& emphasis) {
    const PlotPage page = fitted(plot, state, least);
    write_page(
        page, [&](FileCanvas& canvas) { draw_page(canvas, plot, state, page, emphasis); }, path, scale);
}

void write_plot_page(const Plot& plot, const std::filesystem::path& path) {
    const double each =
        plot.series.front().marks == PlotSeries::Marks::bars ? 9.0 * static_cast<double>(plot.series.size()) + 12 : 28;
    const double wanted = 120 + each * static_cast<double>(plot.x.names.size());
    const PlotPage page{static_cast<int>(std::clamp(wanted, 760.0, 2400.0)), 480, &light_theme()};
    write_text_file(path, plot_svg(plot, {}, page));
}

std::string plot_csv(const Plot& plot) {
    if (plot.cells) return csv_of_cells(plot);
    if (plot.parallel) return csv_of_lines(*plot.parallel);
    return csv_of_series(plot);
}

}  // namespace convscope
