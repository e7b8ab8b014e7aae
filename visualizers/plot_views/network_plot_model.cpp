#include "visualizers/plot_views/network_plot_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/core/format_units.h"

namespace convscope {

double NetworkAxis::x(double us) const {
    if (!log_scale) return left + (us - range.low) / (range.high - range.low) * width;
    return left + std::log(std::max(us, range.low) / range.low) / std::log(range.high / range.low) * width;
}

std::string NetworkAxis::name() const {
    return fmt::format("time ({}{})", unit.name, log_scale ? ", log" : "");
}

std::vector<std::size_t> shown_series(const NetworkPlotData& data, const NetworkPlotState& state) {
    std::vector<std::size_t> shown;
    for (std::size_t i = 0; i < data.series.size(); ++i)
        if (!state.hidden.contains(data.series[i].name)) shown.push_back(i);
    return shown;
}

std::optional<std::size_t> lead_series(const NetworkPlotData& data, const NetworkPlotState& state) {
    for (const std::size_t i : shown_series(data, state))
        if (!data.series[i].vendor) return i;
    return {};
}

NetworkAxis make_network_axis(const NetworkPlotData& data, const NetworkPlotState& state, double left, double width,
                              double scale) {
    double low = std::numeric_limits<double>::infinity(), high = 0;
    for (const NetworkLayer& layer : data.layers)
        for (const std::size_t i : shown_series(data, state)) {
            if (i >= layer.bars.size() || !layer.bars[i].time_us) continue;
            low = std::min(low, *layer.bars[i].time_us);
            high = std::max(high, layer.bars[i].q3_us.value_or(*layer.bars[i].time_us));
        }
    if (!(high > 0)) low = high = 1;
    NetworkAxis axis{left, width, {}, state.log_scale, {"us", 1}, {}};
    // On a linear axis a bar's length is its time; on a logarithmic one it begins a little below the shortest.
    axis.range = {state.log_scale ? low / 2 : 0, high * (state.log_scale ? 1.5 : 1.08)};
    axis.unit = time_unit_for(high);
    const int wanted = std::max(2, static_cast<int>(width / (80 * scale)));
    const double from = axis.range.low / axis.unit.us, to = axis.range.high / axis.unit.us;
    axis.ticks = state.log_scale ? log_ticks(from, to, wanted) : nice_ticks(from, to, wanted);
    return axis;
}

std::string zeros_text(const NetworkLayer& layer) {
    std::string text = layer.zeros ? fmt::format("{} {}", format_percent(*layer.zeros), layer.from) : layer.from;
    if (layer.times != 1) text += fmt::format(", {} times", layer.times);
    return text;
}

std::string lead_text(const NetworkLayer& layer, std::size_t series) {
    if (series >= layer.bars.size()) return {};
    const NetworkBar& bar = layer.bars[series];
    if (!bar.reason.empty()) return bar.reason;
    std::string text = bar.chosen;
    if (bar.speedup) text += fmt::format("{}{:.2f}x", text.empty() ? "" : "  ", *bar.speedup);
    return text;
}

Rgba bar_color(const NetworkSeries& series, const Theme& theme) {
    return series.vendor ? theme.vendor : theme.method(series.color);
}

}  // namespace convscope
