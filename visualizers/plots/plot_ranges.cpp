#include "visualizers/plots/plot_ranges.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernels/core/format_units.h"

namespace convscope {
namespace {

struct Multiple {
    const char* name;
    double size;
    bool of_count = false;  ///< stands with each number, as a count has no unit to stand before
};

/// The multiple of a unit that numbers of this size are read in.
Multiple multiple_for(const std::string& unit, double largest) {
    if (unit == "us") {
        const TimeUnit time = time_unit_for(largest);
        return {time.name, time.us};
    }
    if (unit == "B") {
        if (largest >= 1e10) return {"GB", 1e9};
        if (largest >= 1e7) return {"MB", 1e6};
        if (largest >= 1e4) return {"kB", 1e3};
    }
    if (unit.empty() && largest >= 1e8) return {"M", 1e6, true};
    if (unit.empty() && largest >= 1e5) return {"k", 1e3, true};
    if (unit == "FLOP" && largest >= 1e10) return {"GFLOP", 1e9};
    if (unit == "GFLOP/s" && largest >= 1e4) return {"TFLOP/s", 1e3};
    if (unit == "GB/s" && largest >= 1e4) return {"TB/s", 1e3};
    return {unit.c_str(), 1};
}

PlotAxis axis_of_names(const PlotScale& scale, int wanted, const std::optional<AxisRange>& seen) {
    const auto count = static_cast<double>(scale.names.size());
    PlotAxis axis{seen.value_or(AxisRange{-0.5, count - 0.5}), false, label_of(scale, scale.unit.c_str(), false), {}};
    const auto first = static_cast<std::size_t>(std::clamp(std::ceil(axis.range.low), 0.0, count - 1));
    const auto last = static_cast<std::size_t>(std::clamp(std::floor(axis.range.high), 0.0, count - 1));
    const std::size_t every = (last - first) / static_cast<std::size_t>(std::max(1, wanted)) + 1;
    for (std::size_t i = first; i <= last; i += every) axis.ticks.push_back({static_cast<double>(i), scale.names[i]});
    return axis;
}

}  // namespace

double PlotAxis::share(double value) const {
    if (log) return std::log(std::max(value, 1e-300) / range.low) / std::log(range.high / range.low);
    return (value - range.low) / (range.high - range.low);
}

double PlotAxis::value(double share) const {
    if (log) return range.low * std::pow(range.high / range.low, share);
    return range.low + share * (range.high - range.low);
}

std::string label_of(const PlotScale& scale, const char* unit, bool log) {
    std::string inside = unit;
    if (log) inside += inside.empty() ? "log" : ", log";
    if (inside.empty()) return scale.name;
    return fmt::format("{} ({})", scale.name, inside);
}

std::string plot_words(const PlotScale& scale, double value) {
    if (!scale.names.empty()) {
        const double at = std::round(value);
        return at >= 0 && at < static_cast<double>(scale.names.size()) ? scale.names[static_cast<std::size_t>(at)]
                                                                       : std::string("-");
    }
    if (!std::isfinite(value)) return "none";
    if (scale.unit == "us") return format_time_us(value);
    if (scale.unit == "B") return format_bytes(static_cast<std::int64_t>(value));
    if (scale.unit.empty() && std::abs(value) >= 1e4 && std::abs(value) < 1e18)
        return format_count(std::llround(value));
    const Multiple multiple = scale.unit.empty() ? Multiple{"", 1} : multiple_for(scale.unit, std::abs(value));
    value /= multiple.size;
    const bool whole = value == std::floor(value) && std::abs(value) < 1e9;
    const std::string digits = whole ? fmt::format("{:.0f}", value) : format_digits(value);
    const std::string unit = multiple.name;
    return unit.empty() || unit == "x" ? digits + unit : digits + " " + unit;
}

std::string words_on(const PlotAxis& axis, const PlotScale& scale, double value) {
    if (!std::isfinite(value) || axis.unit.empty() || (scale.unit != "us" && axis.unit_size == 1))
        return plot_words(scale, value);
    return fmt::format("{} {}", format_digits(value / axis.unit_size), axis.unit);
}

PlotAxis make_plot_axis(const PlotScale& scale, bool log, const Extent& extent, int wanted,
                        std::optional<AxisRange> seen) {
    if (!scale.names.empty()) return axis_of_names(scale, wanted, seen);
    PlotAxis axis;
    axis.log = log;
    if (seen)
        axis.range = *seen;
    else if (scale.limits)
        axis.range = *scale.limits;
    else if (extent.any())
        axis.range = padded_range(extent.low(), extent.high(), log);
    else
        axis.range = log ? AxisRange{1, 10} : AxisRange{0, 1};
    if (!seen && !scale.limits && scale.from_zero && !log) axis.range.low = std::min(0.0, axis.range.low);
    if (log && axis.range.low <= 0) axis.range.low = axis.range.high / 1000;
    const Multiple multiple = multiple_for(scale.unit, axis.range.high);
    const double low = axis.range.low / multiple.size, high = axis.range.high / multiple.size;
    axis.ticks = log && scale.powers_of_two ? binary_ticks(low, high, wanted)
                 : log                      ? log_ticks(low, high, wanted, scale.whole)
                                            : nice_ticks(low, high, wanted, scale.whole);
    for (Tick& tick : axis.ticks) {
        tick.value *= multiple.size;
        if (multiple.of_count && !tick.label.empty() && tick.value != 0)
            tick.label += fmt::format(" {}", multiple.name);
    }
    axis.unit = multiple.of_count ? "" : multiple.name;
    axis.label = label_of(scale, axis.unit.c_str(), log);
    axis.unit_size = multiple.size;
    return axis;
}

bool levels_far_apart(const Plot& plot, const PlotState& state) {
    if (!(plot.y.log_beyond > 0)) return false;
    Extent extent;
    for (const PlotSeries& series : plot.series)
        if (series.marks == PlotSeries::Marks::level && !is_hidden(state, series))
            for (double value : series.y) extent.add(value, true);
    return extent.any() && extent.high() > plot.y.log_beyond * extent.low();
}

Extent extent_of(const Plot& plot, const PlotState& state, bool of_x, bool right, bool log) {
    Extent extent;
    for (const PlotSeries& series : plot.series) {
        if (is_hidden(state, series) || (!of_x && series.right != right)) continue;
        const std::vector<double>& column = of_x ? series.x : series.y;
        for (std::size_t i = 0; i < column.size(); ++i) {
            if (of_x && !std::isfinite(series.y[i])) continue;
            extent.add(of_x ? column[i] : std::min(column[i], series.outliers), log);
        }
        if (of_x) continue;
        for (double value : series.low) extent.add(value, log);
        for (double value : series.high) extent.add(value, log);
        for (double value : series.base) extent.add(value, log);
    }
    if (of_x)
        for (const PlotRejection& rejection : plot.rejected) extent.add(rejection.x, log);
    else if (plot.reference && !right && extent.any())
        extent.add(*plot.reference, log);
    return extent;
}

}  // namespace convscope
