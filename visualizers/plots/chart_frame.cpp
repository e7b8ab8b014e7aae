#include "visualizers/plots/chart_frame.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace convscope {
namespace {

constexpr double title_size = 17, text_size = 12, label_size = 11;
constexpr double legend_line = 20, legend_gap = 22, swatch = 11;
constexpr int wanted_ticks = 6;

/// Rows of the legend: how many series stand in each.
std::vector<std::size_t> legend_rows(ChartCanvas& canvas, const Chart& chart, double width) {
    std::vector<std::size_t> rows;
    double used = width;
    for (const ChartSeries& series : chart.series) {
        const double needed = swatch + 6 + canvas.text_width(series.label, text_size) + legend_gap;
        if (used + needed > width) {
            rows.push_back(0);
            used = 0;
        }
        used += needed;
        ++rows.back();
    }
    return rows;
}

}  // namespace

double ChartAxis::share(double value) const {
    if (logarithmic) {
        if (!(value > 0)) return 0;
        return std::clamp((std::log(value) - std::log(range.low)) / (std::log(range.high) - std::log(range.low)), 0.0,
                          1.0);
    }
    return std::clamp((value - range.low) / (range.high - range.low), 0.0, 1.0);
}

ChartAxis make_axis(const Chart& chart, bool right) {
    const bool logarithmic = chart.logarithmic && !right;
    double low = std::numeric_limits<double>::infinity(), high = -low;
    auto take = [&](double value) {
        if (!std::isfinite(value) || (logarithmic && value <= 0)) return;
        low = std::min(low, value);
        high = std::max(high, value);
    };
    for (const ChartSeries& series : chart.series)
        if (series.right_axis == right)
            for (const std::optional<double>& value : series.values)
                if (value) take(*value);
    if (chart.reference && !right) take(*chart.reference);
    if (!logarithmic) take(0);
    if (!(low <= high)) low = high = 1;

    ChartAxis axis;
    axis.logarithmic = logarithmic;
    axis.range = padded_range(low, high, logarithmic);
    axis.ticks = logarithmic ? log_ticks(axis.range.low, axis.range.high, wanted_ticks)
                             : nice_ticks(axis.range.low, axis.range.high, wanted_ticks);
    return axis;
}

ChartFrame::ChartFrame(ChartCanvas& canvas, const Chart& chart)
    : canvas_(canvas),
      chart_(chart),
      width_(chart_width(chart)),
      left_axis_(make_axis(chart, false)),
      right_axis_(make_axis(chart, true)) {
    right_ = width_ - (chart.right_label.empty() ? 24 : 72);
    const auto rows = legend_rows(canvas, chart, right_ - left_);
    top_ = 62 + legend_line * static_cast<double>(rows.size());
    double longest = 0;
    for (const std::string& name : chart.points) longest = std::max(longest, canvas.text_width(name, label_size));
    turned_ = longest + 8 > step();
    bottom_ = chart_height - (turned_ ? std::min(150.0, longest + 40) : 56);
}

void ChartFrame::draw() {
    draw_titles();
    draw_legend();
    draw_axis(left_axis_, false);
    if (!chart_.right_label.empty()) draw_axis(right_axis_, true);
    draw_points();
    if (chart_.reference) {
        const double y = bottom_ - left_axis_.share(*chart_.reference) * (bottom_ - top_);
        canvas_.line(left_, y, right_, y, ChartInk::dim, 1.2);
    }
}

void ChartFrame::draw_titles() {
    canvas_.text(chart_.title, left_, 26, title_size, ChartInk::text, Align::left, true);
    canvas_.text(chart_.subtitle, left_, 45, text_size, ChartInk::dim);
}

void ChartFrame::draw_legend() {
    const auto rows = legend_rows(canvas_, chart_, right_ - left_);
    std::size_t next = 0;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        double x = left_;
        const double baseline = 68 + legend_line * static_cast<double>(row);
        for (std::size_t i = 0; i < rows[row]; ++i, ++next) {
            const ChartSeries& series = chart_.series[next];
            if (chart_.kind == Chart::Kind::lines) {
                canvas_.line(x, baseline - 4, x + swatch, baseline - 4, series.color, 2, series.dashed);
            } else if (series.outlined) {
                canvas_.outline(x, baseline - swatch + 1, swatch, swatch, series.color);
            } else {
                canvas_.rectangle(x, baseline - swatch + 1, swatch, swatch, series.color);
            }
            canvas_.text(series.label, x + swatch + 6, baseline, text_size, ChartInk::text);
            x += swatch + 6 + canvas_.text_width(series.label, text_size) + legend_gap;
        }
    }
}

void ChartFrame::draw_axis(const ChartAxis& axis, bool right) {
    for (const Tick& tick : axis.ticks) {
        const double y = bottom_ - axis.share(tick.value) * (bottom_ - top_);
        if (!right && !tick.label.empty()) canvas_.line(left_, y, right_, y, ChartInk::hairline);
        if (right)
            canvas_.text(tick.label, right_ + 8, y + 4, label_size, ChartInk::dim);
        else
            canvas_.text(tick.label, left_ - 8, y + 4, label_size, ChartInk::dim, Align::right);
    }
    const double middle = (top_ + bottom_) / 2;
    canvas_.text(right ? chart_.right_label : chart_.y_label, right ? width_ - 14 : 20, middle, text_size,
                 ChartInk::text, Align::centre, false, true);
    canvas_.line(left_, bottom_, right_, bottom_, ChartInk::dim);
}

void ChartFrame::draw_points() {
    // Where even turned names would touch, some are left out.
    const auto every = static_cast<std::size_t>(std::max(1.0, std::ceil((label_size + 3) / step())));
    for (std::size_t i = 0; i < chart_.points.size(); i += turned_ ? every : 1) {
        if (turned_)
            canvas_.text(chart_.points[i], x(i) + 4, bottom_ + 8, label_size, ChartInk::dim, Align::right, false, true);
        else
            canvas_.text(chart_.points[i], x(i), bottom_ + 16, label_size, ChartInk::dim, Align::centre);
    }
    canvas_.text(chart_.x_label, (left_ + right_) / 2, chart_height - 10, text_size, ChartInk::text, Align::centre);
}

}  // namespace convscope
