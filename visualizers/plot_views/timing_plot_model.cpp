#include "visualizers/plot_views/timing_plot_model.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "kernels/core/format_units.h"

namespace convscope {

namespace {

struct Bulk {
    double least = std::numeric_limits<double>::infinity(), most = -std::numeric_limits<double>::infinity();
};

/// Smallest sample, and the largest but for outliers by Tukey's rule: those more than 1.5 times the distance of the
/// quartiles above the third; what is within 30 % of it never counts as one.
Bulk bulk(const TimingSeries& series) {
    Bulk result;
    for (const double us : series.samples_us) {
        if (!std::isfinite(us) || us <= 0) continue;
        result.least = std::min(result.least, us);
        result.most = std::max(result.most, us);
    }
    if (!series.q1_us || !series.q3_us) return result;
    const double q1 = *series.q1_us, q3 = *series.q3_us;
    result.most = std::min(result.most, q3 + std::max(1.5 * (q3 - q1), 0.3 * q3));
    return result;
}

/// Where its line ends.
double last_level(const TimingSeries& series) {
    return series.change ? series.change->after_us : *series.median_us;
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
        longest = std::max(longest, series.samples_us.size() * static_cast<std::size_t>(series.stride));
        const auto [least, most] = bulk(series);
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

LineLabels line_labels(const TimingPlotData& data, const TimingPlotState& state, const PlotFrame& frame,
                       double row_height) {
    const double top = frame.top + row_height / 2, bottom = frame.top + frame.height - row_height / 2;
    LineLabels labels;
    for (const TimingSeries& series : data.series) {
        const bool hidden = state.hidden.count(series.name) > 0;
        if (!hidden && !series.median_us) continue;
        const double y = hidden ? bottom : std::clamp(frame.y(last_level(series)), frame.top, bottom);
        labels.list.push_back({&series, hidden, y, y});
    }
    std::stable_sort(labels.list.begin(), labels.list.end(), [](const LineLabel& a, const LineLabel& b) {
        return a.hidden != b.hidden ? b.hidden : !a.hidden && last_level(*a.series) > last_level(*b.series);
    });
    const auto room = static_cast<std::size_t>(std::max(1.0, frame.height / row_height));
    if (labels.list.size() > room) {
        labels.left_out = labels.list.size() - room + 1;  // the first row says how many
        labels.list.erase(labels.list.begin(), labels.list.begin() + static_cast<std::ptrdiff_t>(labels.left_out));
    }
    // From the lowest up, then back down from the top where they would leave the plot.
    double free = bottom;
    for (std::size_t i = labels.list.size(); i-- > 0; free = labels.list[i].y - row_height)
        labels.list[i].y = std::min(labels.list[i].y, free);
    free = labels.left_out > 0 ? top + row_height : top;
    for (std::size_t i = 0; i < labels.list.size(); free = labels.list[i++].y + row_height)
        labels.list[i].y = std::max(labels.list[i].y, free);
    return labels;
}

std::string label_of(const TimingSeries& series, bool with_time) {
    return with_time && series.median_us ? fmt::format("{}  {}", series.name, format_time_us(last_level(series)))
                                         : series.name;
}

std::vector<LinePiece> median_line(const TimingSeries& series, const PlotFrame& frame) {
    const double left = frame.left, right = frame.left + frame.width;
    if (!series.median_us) return {};
    if (!series.change) return {{left, right, frame.y(*series.median_us)}};
    const auto sample = static_cast<double>(series.change->at * static_cast<std::size_t>(series.stride));
    const double at = std::clamp(frame.x(sample), left, right);
    return {{left, at, frame.y(series.change->before_us)}, {at, right, frame.y(series.change->after_us)}};
}

std::string drift_in_words(const TimingPlotData& data, const TimingPlotState& state) {
    std::string words;
    for (const TimingSeries& series : data.series) {
        if (!series.change || state.hidden.count(series.name) > 0) continue;
        words += fmt::format("{}{} drifts: {}, then {}", words.empty() ? "" : ";  ", series.name,
                             format_time_us(series.change->before_us), format_time_us(series.change->after_us));
    }
    return words;
}

std::vector<Dot> dots(const TimingSeries& series, const PlotFrame& frame, double edge) {
    const std::vector<double>& samples = series.samples_us;
    std::vector<Dot> result;
    const auto cols = static_cast<std::size_t>(frame.width / edge) + 1,
               rows = static_cast<std::size_t>(frame.height / edge) + 1;
    std::vector<bool> taken(cols * rows, false);
    const auto stride = static_cast<double>(series.stride);
    const auto first = static_cast<std::size_t>(std::max(0.0, std::ceil(frame.view.x0 / stride)));
    const auto end = static_cast<std::size_t>(
        std::clamp(std::floor(frame.view.x1 / stride) + 1, 0.0, static_cast<double>(samples.size())));
    for (std::size_t i = first; i < end; ++i) {
        const double us = samples[i];
        if (!std::isfinite(us) || us < frame.view.y0 || us > frame.view.y1) continue;
        const double x = frame.x(static_cast<double>(i) * stride), y = frame.y(us);
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
