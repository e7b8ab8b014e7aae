#include "app/ui/live_timing/timing_plot.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/compare/method_colours.h"
#include "app/ui/widgets/format.h"
#include "app/ui/widgets/live_words.h"

namespace convscope::app {
namespace {

constexpr double half_strip = 0.4;  ///< whole numbers are the middles of strips

/// A line across its strip, or two without bands where the time drifts.
PlotSeries level_of(PlotSeries series, const TimingSummary& timing, double strip, double change_at,
                    const TimeUnit& unit) {
    series.marks = PlotSeries::Marks::level;
    const double from = strip - half_strip, to = strip + half_strip;
    const auto words = [&unit](double us) { return fmt::format("{} {}", unit.digits(us), unit.name); };
    if (timing.drift) {
        const double before = timing.drift->before_us / unit.us, after = timing.drift->after_us / unit.us;
        series.end_words = "now " + words(timing.drift->after_us);  // the table has the median of all samples
        series.x = {from, change_at, change_at, change_at, to};
        series.y = {before, before, NAN, after, after};
        return series;
    }
    series.end_words = words(timing.median_us);
    series.x = {from, to};
    const auto across = [&unit](double us) { return std::vector(2, us / unit.us); };
    series.y = across(timing.median_us);
    series.low = across(timing.q1_us);
    series.high = across(timing.q3_us);
    if (timing.interval_us) {
        series.inner_low = across(timing.interval_us->first);
        series.inner_high = across(timing.interval_us->second);
    }
    return series;
}

/// Those with samples that count; the fastest first, as in the table.
std::vector<const LiveSeries*> by_time(const std::vector<LiveSeries>& measured) {
    std::vector<const LiveSeries*> fastest_first;
    for (const LiveSeries& live : measured)
        if (live.timing.samples > 0 && !live.history.kept().empty()) fastest_first.push_back(&live);
    std::ranges::stable_sort(fastest_first, {}, [](const LiveSeries* live) { return live->timing.median_us; });
    return fastest_first;
}

}  // namespace

Plot timing_plot(const std::vector<LiveSeries>& measured, const Registry& registry, DeviceKind kind) {
    Plot plot;
    plot.title = "Live timing";
    plot.x.name = "method";
    plot.strips = true;
    // Times begin at zero: a difference of one percent must not look like a factor. Where they are far apart, the
    // fastest would lie on the ground.
    const TimeUnit unit = time_unit_of(measured);
    plot.y = {"time", unit.name, false, true};
    plot.y.log_beyond = 8;
    for (const LiveSeries* const live : by_time(measured)) {
        const std::vector<double>& kept = live->history.kept();
        const TimingSummary& timing = live->timing;
        const auto strip = static_cast<double>(plot.x.names.size()), all = static_cast<double>(kept.size());
        const auto place = [&](double sample) { return strip + half_strip * ((2 * sample + 1) / all - 1); };
        plot.x.names.push_back(live->method);
        const Method* method = registry.find(live->method, kind);
        PlotSeries series;
        series.name = live->method;
        series.color = colour_of(live->method);
        series.vendor = method && method->info().vendor;
        plot.series.push_back(
            level_of(series, timing, strip, timing.drift ? place(static_cast<double>(timing.drift->at)) : 0, unit));
        if (timing.drift)
            plot.warning += fmt::format("{}{} drifts: {}, then {}", plot.warning.empty() ? "" : ";  ", live->method,
                                        duration(timing.drift->before_us), duration(timing.drift->after_us));
        series.marks = PlotSeries::Marks::samples;
        series.stride = static_cast<std::int64_t>(live->history.stride());
        for (std::size_t i = 0; i < kept.size(); ++i) series.x.push_back(place(static_cast<double>(i)));
        for (const double us : kept) series.y.push_back(us / unit.us);
        // Outliers by Tukey's rule; what is within 30 % of the third quartile never counts as one.
        series.outliers = (timing.q3_us + std::max(1.5 * (timing.q3_us - timing.q1_us), 0.3 * timing.q3_us)) / unit.us;
        plot.series.push_back(std::move(series));
    }
    if (plot.series.empty())
        plot.empty_hint = describe_too_busy(measured, "\n");
    else if (const std::string busy = describe_too_busy(measured); !busy.empty())
        plot.warning += (plot.warning.empty() ? "" : ";  ") + busy;
    return plot;
}

}  // namespace convscope::app
