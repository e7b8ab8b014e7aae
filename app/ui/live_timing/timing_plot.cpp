#include "app/ui/live_timing/timing_plot.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/compare/method_colours.h"
#include "app/ui/widgets/format.h"
#include "app/ui/widgets/live_words.h"

namespace convscope::app {
namespace {

/// One line from edge to edge, or two without bands where the time drifts.
PlotSeries level_of(PlotSeries series, const TimingSummary& timing, double change_at, double last,
                    const TimeUnit& unit) {
    series.marks = PlotSeries::Marks::level;
    const auto words = [&unit](double us) { return fmt::format("{} {}", unit.digits(us), unit.name); };
    if (timing.drift) {
        const double before = timing.drift->before_us / unit.us, after = timing.drift->after_us / unit.us;
        series.end_words = "now " + words(timing.drift->after_us);  // the table has the median of all samples
        series.x = {0, change_at, change_at, change_at, last};
        series.y = {before, before, NAN, after, after};
        return series;
    }
    series.end_words = words(timing.median_us);
    series.x = {0, last};
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

}  // namespace

Plot timing_plot(const std::vector<LiveSeries>& measured, const Registry& registry, DeviceKind kind) {
    Plot plot;
    plot.title = "Live timing";
    plot.x.name = "sample";
    plot.x.whole = true;
    // Times begin at zero: a difference of one percent must not look like a factor. Where they are far apart, the
    // fastest would lie on the ground.
    const TimeUnit unit = time_unit_of(measured);
    plot.y = {"time", unit.name, false, true};
    plot.y.log_beyond = 8;
    plot.names_at_ends = true;
    double last = 1;
    for (const LiveSeries& live : measured)
        last = std::max(
            last, static_cast<double>(live.history.kept().size()) * static_cast<double>(live.history.stride()) - 1);
    plot.x.limits = AxisRange{0, last};
    for (const LiveSeries& live : measured) {
        const std::vector<double>& kept = live.history.kept();
        const TimingSummary& timing = live.timing;
        if (timing.samples == 0 || kept.empty()) continue;  // nothing to say yet, or too busy
        const auto stride = static_cast<double>(live.history.stride());
        const Method* method = registry.find(live.method, kind);
        PlotSeries series;
        series.name = live.method;
        series.color = colour_of(live.method);
        series.vendor = method && method->info().vendor;
        plot.series.push_back(
            level_of(series, timing, timing.drift ? static_cast<double>(timing.drift->at) * stride : 0, last, unit));
        if (timing.drift)
            plot.warning += fmt::format("{}{} drifts: {}, then {}", plot.warning.empty() ? "" : ";  ", live.method,
                                        duration(timing.drift->before_us), duration(timing.drift->after_us));
        series.marks = PlotSeries::Marks::samples;
        for (std::size_t i = 0; i < kept.size(); ++i) series.x.push_back(static_cast<double>(i) * stride);
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
