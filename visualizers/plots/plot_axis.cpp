#include "visualizers/plots/plot_axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernels/core/format_units.h"

namespace convscope {
namespace {

bool usable(double low, double high) {
    return std::isfinite(low) && std::isfinite(high) && high > low;
}

double step_for(double span, int wanted, bool whole) {
    const double raw = std::max(whole ? 1.0 : 0.0, span / std::max(1, wanted));
    const double power = std::pow(10.0, std::floor(std::log10(raw)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= raw * (1 - 1e-9)) return factor * power;
    return 10 * power;
}

/// Long ones with their thousands apart.
std::string whole(double value) {
    return std::abs(value) < 1e4 || std::abs(value) > 1e15 ? fmt::format("{:.0f}", value)
                                                           : format_count(std::llround(value));
}

std::vector<Tick> ticks_at(double low, double high, double step) {
    const int decimals = std::clamp(static_cast<int>(-std::floor(std::log10(step) + 1e-9)), 0, 9);
    std::vector<Tick> ticks;
    for (double i = std::ceil(low / step - 1e-9); i * step <= high + step * 1e-9 && ticks.size() < 1000; ++i) {
        const double value = i == 0 ? 0 : i * step;
        ticks.push_back({value, decimals == 0 ? whole(value) : fmt::format("{:.{}f}", value, decimals)});
    }
    return ticks;
}

std::string plain(double value) {
    if (value >= 1) return whole(value);
    const int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(value) - 1e-9)), 0, 9);
    return fmt::format("{:.{}f}", value, decimals);
}

}  // namespace

std::vector<Tick> nice_ticks(double low, double high, int wanted, bool whole) {
    if (!usable(low, high)) return {};
    std::vector<Tick> ticks = ticks_at(low, high, step_for(high - low, wanted, whole));
    // One tick alone gives no scale.
    for (int more = wanted + 1; ticks.size() < 2 && more <= wanted + 8; ++more)
        ticks = ticks_at(low, high, step_for(high - low, more, whole));
    return ticks;
}

std::vector<Tick> log_ticks(double low, double high, int wanted, bool whole) {
    if (!usable(low, high) || low <= 0) return {};
    const double decades = std::log10(high / low);
    // Less than an octave or so: the axis is all but linear.
    if (decades < 0.5) return nice_ticks(low, high, wanted, whole);
    auto ticks_every = [&](int every, bool fine) {
        std::vector<Tick> ticks;
        const int first = static_cast<int>(std::floor(std::log10(low))),
                  last = static_cast<int>(std::ceil(std::log10(high)));
        for (int decade = first; decade <= last; ++decade)
            for (int digit = 1; digit <= 9; ++digit) {
                const double value = digit * std::pow(10.0, decade);
                if (value < low * (1 - 1e-9) || value > high * (1 + 1e-9)) continue;
                const bool major = digit == 1 && (decade - first) % every == 0;
                const bool between = (fine && (digit == 2 || digit == 5)) || decades <= wanted / 8.0;
                ticks.push_back({value, major || between ? plain(value) : ""});
            }
        return ticks;
    };
    auto labels = [](const std::vector<Tick>& ticks) {
        return std::count_if(ticks.begin(), ticks.end(), [](const Tick& tick) { return !tick.label.empty(); });
    };
    int every = std::max(1, static_cast<int>(std::ceil(decades / std::max(1, wanted))));
    std::vector<Tick> ticks = ticks_every(every, decades <= wanted / 3.0);
    // One label alone gives no scale.
    while (labels(ticks) < 2 && every > 1) ticks = ticks_every(--every, false);
    if (labels(ticks) < 2) ticks = ticks_every(1, true);
    if (labels(ticks) < 2) return nice_ticks(low, high, wanted, whole);
    return ticks;
}

std::vector<Tick> binary_ticks(double low, double high, int wanted) {
    if (!usable(low, high) || low <= 0) return {};
    const int first = static_cast<int>(std::ceil(std::log2(low) - 1e-9)),
              last = static_cast<int>(std::floor(std::log2(high) + 1e-9));
    const int every = (last - first) / std::max(1, wanted) + 1;
    std::vector<Tick> ticks;
    for (int power = first; power <= last; power += every) ticks.push_back({std::exp2(power), plain(std::exp2(power))});
    return ticks;
}

bool are_powers_of_two(const std::vector<double>& values) {
    return std::all_of(values.begin(), values.end(),
                       [](double value) { return value >= 1 && std::log2(value) == std::floor(std::log2(value)); });
}

AxisRange padded_range(double low, double high, bool log_scale) {
    if (!std::isfinite(low) || !std::isfinite(high) || high < low)
        return log_scale ? AxisRange{1, 10} : AxisRange{0, 1};
    if (log_scale) {
        low = std::max(low, 1e-9);
        high = std::max(high, low);
        const double margin = std::max(1.15, std::pow(high / low, 0.06));
        return {low / margin, high * margin};
    }
    const double margin = high > low ? 0.08 * (high - low) : std::max(0.1 * std::abs(high), 1e-9);
    return {low >= 0 ? std::max(0.0, low - margin) : low - margin, high + margin};
}

TimeUnit time_unit_for(double largest_us) {
    if (largest_us >= 1e6) return {"s", 1e6};
    if (largest_us >= 1e4) return {"ms", 1e3};
    if (largest_us < 0.1) return {"ns", 1e-3};
    return {"us", 1};
}

}  // namespace convscope
