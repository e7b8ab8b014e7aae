#include "app/ui/widgets/live_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/core/format_units.h"
#include "kernels/measure/sample_counts.h"

namespace convscope::app {
namespace {

// GPUs move by single percents with their temperature.
constexpr double clock_change = 1.02;
// A ratio that is less certain is given by its interval alone.
constexpr double max_ratio_noise_pct = 50;

std::string describe_drift(const LiveSeries& series) {
    return fmt::format("drifts: {}, then {}", duration(series.timing.drift->before_us),
                       duration(series.timing.drift->after_us));
}

/// "SM clock 1755 to 1980 MHz"; empty where it stayed, or is not known.
std::string describe_clocks(const LiveSeries& series) {
    if (series.clocks_mhz.empty()) return {};
    const double low = series.clocks_mhz.values().front(), high = series.clocks_mhz.values().back();
    return high > clock_change * low ? fmt::format("SM clock {:.0f} to {:.0f} MHz", low, high) : std::string();
}

/// Whether the interval of a row includes 1.
bool is_undecided(const Record& row) {
    return row.speedup_interval->first <= 1 && row.speedup_interval->second >= 1;
}

double ratio_noise_pct(const Record& row) {
    const auto [low, high] = *row.speedup_interval;
    const double ratio = *row.speedup_vs_vendor;
    return 100 * std::max(high - ratio, ratio - low) / ratio;
}

}  // namespace

std::string describe_speedup(const Record& row) {
    if (!row.speedup_vs_vendor || !row.speedup_interval) return {};
    if (!is_undecided(row) && ratio_noise_pct(row) <= max_ratio_noise_pct) return times_as_fast(*row.speedup_vs_vendor);
    const auto [low, high] = *row.speedup_interval;
    return fmt::format("{} to {}", times_as_fast(low), times_as_fast(high));
}

std::string describe_samples(const SampleHistory& history) {
    std::string words = fmt::format("{} samples", format_count(history.count()));
    if (history.stride() > 1) words += fmt::format(", 1 in {} kept", history.stride());
    return words;
}

std::string describe_settled(const LiveSeries& series, double requested_noise_pct) {
    const TimingSummary& timing = series.timing;
    if (timing.drift)
        return fmt::format("Not settled: {} {}. One median would average that away", series.method,
                           describe_drift(series));
    if (timing.samples == 0 && series.latest) return "No interval of the median: " + series.latest->status_reason;
    if (!timing.interval_us) return "Too few samples for an interval of the median";
    const std::string interval =
        fmt::format("95 % interval of the median: {} to {} us, {}", three_digits(timing.interval_us->first),
                    three_digits(timing.interval_us->second), describe_samples(series.history));
    const std::string doubts = timing.doubts();
    return fmt::format("{}: requested is ±{:g} %\n{}{}{}", series.settled ? "Settled" : "Not settled yet",
                       requested_noise_pct, interval, doubts.empty() ? "" : "\n", doubts);
}

std::string describe_too_busy(const std::vector<LiveSeries>& all, const char* between) {
    std::string words;
    for (const LiveSeries& series : all)
        if (series.latest && is_too_busy(*series.latest))
            words += fmt::format("{}{}: {}", words.empty() ? "" : between, series.method, series.latest->status_reason);
    return words;
}

MissingRatio why_no_ratio(const LiveSeries& of, const LiveSnapshot& live, const Registry& registry, DeviceKind kind) {
    if (!of.latest || !of.latest->time_median_us || of.latest->speedup_vs_vendor) return {};
    const auto info = [&](const std::string& id) -> const MethodInfo& { return registry.get(id, kind).info(); };
    const DType dtype = info(of.method).dtype;
    MissingRatio missing{"-", fmt::format("No ratio: no vendor's method in {} is measured", to_string(dtype))};
    for (const LiveSeries& each : live.series) {
        if (!info(each.method).vendor || info(each.method).dtype != dtype) continue;
        if (!each.latest || each.latest->time_median_us) return {};
        const bool busy = is_too_busy(*each.latest), failed = each.latest->status != Status::not_supported;
        missing = {busy     ? "busy"
                   : failed ? "failed"
                            : "-",
                   fmt::format("No ratio to {}: {}", each.method,
                               each.latest->status_reason.empty() ? to_string(each.latest->status)
                                                                  : each.latest->status_reason)};
    }
    return missing;
}

Lead live_verdict(const LiveSnapshot& live, const Registry& registry, DeviceKind kind) {
    const LiveSeries* fastest = nullptr;
    for (const LiveSeries& series : live.series) {
        if (!series.latest || !series.latest->time_median_us || is_wrong(series.latest->status)) continue;
        if (registry.get(series.method, kind).info().vendor) continue;
        if (!fastest || *series.latest->time_median_us < *fastest->latest->time_median_us) fastest = &series;
    }
    if (!fastest) return lead_of(describe_too_busy(live.series), {});
    const Record& row = *fastest->latest;
    const std::string baseline = " as fast as " + vendor_baseline(row);
    if (!row.speedup_vs_vendor) {
        const std::string why = why_no_ratio(*fastest, live, registry, kind).sentence;
        return why.empty() ? Lead{} : Lead{fastest->method + " takes ", duration(*row.time_median_us), ". " + why};
    }
    const double ratio = *row.speedup_vs_vendor;
    if (!row.speedup_interval)
        return {fastest->method + " is ", times_as_fast(ratio), baseline + "; too few samples for an interval"};
    const std::string text = describe_speedup(row);
    if (is_undecided(row)) return {fmt::format("Too close to tell: {} is ", fastest->method), text, baseline};
    const double percent = ratio_noise_pct(row);
    if (percent > max_ratio_noise_pct) return {fastest->method + " is ", text, baseline};
    return {
        fastest->method + " is ", text,
        fmt::format("{}, ±{} %", baseline, percent < 9.95 ? fmt::format("{:.1f}", percent) : three_digits(percent))};
}

TimeUnit time_unit_of(const std::vector<LiveSeries>& all) {
    double longest = 0;
    for (const LiveSeries& series : all) longest = std::max(longest, series.timing.median_us);
    return time_unit(longest);
}

std::string describe_standing(const LiveSnapshot& live) {
    std::size_t timed = 0, settled = 0;
    std::string drifts, clocks;
    for (const LiveSeries& series : live.series) {
        if (series.timing.samples == 0) continue;
        ++timed;
        settled += series.settled;
        if (series.timing.drift)
            drifts += fmt::format("{}{} {}", drifts.empty() ? "" : ";  ", series.method, describe_drift(series));
        if (clocks.empty()) clocks = describe_clocks(series);
    }
    const std::string busy = describe_too_busy(live.series);
    if (timed == 0) return busy;
    std::string words = drifts;
    if (drifts.empty())
        words = settled == timed ? fmt::format("settled at ±{:g} %", live.requested_noise_pct)
                                 : fmt::format("{} of {} settled at ±{:g} %", settled, timed, live.requested_noise_pct);
    for (const std::string& more : {clocks, busy})
        if (!more.empty()) words += ";  " + more;
    return words;
}

}  // namespace convscope::app
