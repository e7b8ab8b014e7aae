#include "visualizers/timing_plot_model.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace convscope {

namespace {

struct Bulk {
    double least = std::numeric_limits<double>::infinity(), most = -std::numeric_limits<double>::infinity();
};

/// Smallest sample, and the largest but for outliers by Tukey's rule: those more than 1.5 times the distance of the
/// quartiles above the third; what is within 30 % of it never counts as one.
Bulk bulk(const std::vector<double>& samples) {
    std::vector<double> valid;
    for (const double us : samples)
        if (std::isfinite(us) && us > 0) valid.push_back(us);
    if (valid.empty()) return {};
    const auto [least, most] = std::minmax_element(valid.begin(), valid.end());
    Bulk result{*least, *most};
    auto quantile = [&valid](double share) {
        const auto at = valid.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(valid.size() - 1));
        std::nth_element(valid.begin(), at, valid.end());
        return *at;
    };
    const double q1 = quantile(0.25), q3 = quantile(0.75);
    result.most = std::min(result.most, q3 + std::max(1.5 * (q3 - q1), 0.3 * q3));
    return result;
}

}  // namespace

double PlotFrame::y(double us) const {
    if (!log_scale) return top + height - (us - view.y0) / (view.y1 - view.y0) * height;
    return top + height - std::log(std::max(us, 1e-12) / view.y0) / std::log(view.y1 / view.y0) * height;
}

double PlotFrame::us_at(double py) const {
    const double share = (top + height - py) / height;
    return log_scale ? view.y0 * std::pow(view.y1 / view.y0, share) : view.y0 + share * (view.y1 - view.y0);
}

bool is_log(const TimingPlotData& data, const TimingPlotState& state) {
    if (state.log_scale) return *state.log_scale;
    constexpr double much = 8;  // on a linear axis the fastest would lie on the ground
    double low = std::numeric_limits<double>::infinity(), high = 0;
    for (const TimingSeries& series : data.series) {
        if (state.hidden.count(series.name) || !series.median_us || !(*series.median_us > 0)) continue;
        low = std::min(low, *series.median_us);
        high = std::max(high, *series.median_us);
    }
    return high > much * low;
}

TimingPlotState::View full_view(const TimingPlotData& data, const TimingPlotState& state) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    std::size_t longest = 1;
    for (const TimingSeries& series : data.series) {
        if (state.hidden.count(series.name)) continue;
        longest = std::max(longest, series.samples_us.size());
        const auto [least, most] = bulk(series.samples_us);
        low = std::min(low, least);
        high = std::max(high, most);
        for (const auto& edge : {series.q1_us, series.median_us, series.q3_us}) {
            if (!edge || !std::isfinite(*edge) || *edge <= 0) continue;
            low = std::min(low, *edge);
            high = std::max(high, *edge);
        }
    }
    // Times begin at zero on a linear axis: a difference of one percent must not look like a factor.
    const bool log_scale = is_log(data, state);
    const AxisRange y = padded_range(log_scale ? low : std::min(low, 0.0), high, log_scale);
    return {0, static_cast<double>(std::max<std::size_t>(longest - 1, 1)), y.low, y.high};
}

PlotFrame make_frame(const TimingPlotData& data, const TimingPlotState& state, double left, double top, double width,
                     double height, double scale) {
    PlotFrame frame{left,      top, width, height, state.view.value_or(full_view(data, state)), is_log(data, state),
                    {"us", 1}, {},  {}};
    if (frame.log_scale && frame.view.y0 <= 0) frame.view.y0 = frame.view.y1 / 1000;
    frame.unit = time_unit_for(frame.view.y1);
    // Samples are counted: no ticks between two of them.
    const double span = frame.view.x1 - frame.view.x0;
    frame.x_ticks = nice_ticks(frame.view.x0, frame.view.x1,
                               static_cast<int>(std::clamp(width / (90 * scale), 1.0, std::max(1.0, span))));
    const int wanted = std::max(2, static_cast<int>(height / (40 * scale)));
    const double low = frame.view.y0 / frame.unit.us, high = frame.view.y1 / frame.unit.us;
    frame.y_ticks = frame.log_scale ? log_ticks(low, high, wanted) : nice_ticks(low, high, wanted);
    return frame;
}

std::vector<Dot> dots(const std::vector<double>& samples, const PlotFrame& frame, double edge) {
    std::vector<Dot> result;
    const auto cols = static_cast<std::size_t>(frame.width / edge) + 1,
               rows = static_cast<std::size_t>(frame.height / edge) + 1;
    std::vector<bool> taken(cols * rows, false);
    const auto first = static_cast<std::size_t>(std::max(0.0, std::ceil(frame.view.x0)));
    const auto end =
        static_cast<std::size_t>(std::clamp(std::floor(frame.view.x1) + 1, 0.0, static_cast<double>(samples.size())));
    for (std::size_t i = first; i < end; ++i) {
        const double us = samples[i];
        if (!std::isfinite(us) || us < frame.view.y0 || us > frame.view.y1) continue;
        const double x = frame.x(static_cast<double>(i)), y = frame.y(us);
        const auto square =
            static_cast<std::size_t>((y - frame.top) / edge) * cols + static_cast<std::size_t>((x - frame.left) / edge);
        if (square >= taken.size() || taken[square]) continue;
        taken[square] = true;
        result.push_back({x, y});
    }
    return result;
}

Rgba series_color(const TimingSeries& series, const Theme& theme) {
    return series.vendor ? theme.vendor : theme.method(series.color);
}

}  // namespace convscope
