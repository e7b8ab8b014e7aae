#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>

#include "visualizers/plots/chart_frame.h"

namespace convscope {
namespace {

void draw_bars(ChartCanvas& canvas, const ChartFrame& frame, const Chart& chart) {
    const auto count = static_cast<double>(chart.series.size());
    const double group = frame.step() * 0.8, width = group / std::max(1.0, count);
    for (std::size_t s = 0; s < chart.series.size(); ++s) {
        const ChartSeries& series = chart.series[s];
        for (std::size_t i = 0; i < std::min(series.values.size(), chart.points.size()); ++i) {
            if (!series.values[i] || !std::isfinite(*series.values[i])) continue;
            const double x = frame.x(i) - group / 2 + static_cast<double>(s) * width;
            const double top = frame.y(series, *series.values[i]), height = std::max(0.5, frame.bottom() - top);
            const double gap = std::min(1.0, width * 0.1);
            if (series.outlined)
                canvas.outline(x, top, std::max(1.0, width - gap), height, series.color);
            else
                canvas.rectangle(x, top, std::max(0.5, width - gap), height, series.color);
        }
    }
}

void draw_lines(ChartCanvas& canvas, const ChartFrame& frame, const Chart& chart) {
    for (const ChartSeries& series : chart.series) {
        std::optional<std::pair<double, double>> before;
        const std::size_t count = std::min(series.values.size(), chart.points.size());
        for (std::size_t i = 0; i < count; ++i) {
            if (!series.values[i] || !std::isfinite(*series.values[i])) {
                before.reset();  // a gap is a point without a value
                continue;
            }
            const std::pair at{frame.x(i), frame.y(series, *series.values[i])};
            if (before) canvas.line(before->first, before->second, at.first, at.second, series.color, 2, series.dashed);
            before = at;
        }
        for (std::size_t i = 0; i < count; ++i)
            if (series.values[i] && std::isfinite(*series.values[i]))
                canvas.dot(frame.x(i), frame.y(series, *series.values[i]), 3, series.color, series.outlined);
    }
}

void draw(ChartCanvas& canvas, const Chart& chart) {
    ChartFrame frame(canvas, chart);
    frame.draw();
    if (chart.kind == Chart::Kind::bars)
        draw_bars(canvas, frame, chart);
    else
        draw_lines(canvas, frame, chart);
}

}  // namespace

void write_svg(const Chart& chart, const std::filesystem::path& path) {
    ChartCanvas canvas(cairo_image_surface_create(CAIRO_FORMAT_RGB24, 1, 1));
    canvas.record_svg();
    draw(canvas, chart);
    require_written(canvas.finish(), path);
    std::ofstream file(path, std::ios::binary);
    file << fmt::format(
        "<svg xmlns='http://www.w3.org/2000/svg' width='{0}' height='{1}' viewBox='0 0 {0} {1}' "
        "font-family='Inter, sans-serif'>\n<rect width='100%' height='100%' fill='white'/>\n{2}</svg>\n",
        chart_width(chart), chart_height, canvas.svg());
    file.close();
    require_written(file ? "" : std::strerror(errno), path);
}

void write_png(const Chart& chart, const std::filesystem::path& path, double scale) {
    auto pixels = [scale](int size) { return static_cast<int>(std::lround(size * scale)); };
    cairo_surface_t* surface =
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, pixels(chart_width(chart)), pixels(chart_height));
    ChartCanvas canvas(surface);
    canvas.set_scale(scale);
    draw(canvas, chart);
    require_written(canvas.finish(), path);
    const cairo_status_t status = cairo_surface_write_to_png(surface, path.c_str());
    require_written(status == CAIRO_STATUS_SUCCESS ? "" : cairo_status_to_string(status), path);
}

}  // namespace convscope
