#include "kernels/measure/live_series.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/measure/record_times.h"

namespace convscope {
namespace {

/// A failure ends what was measured before it; a round that was too short to have a median does not.
bool is_failure(const Record& record) {
    return record.status != Status::passed && record.status != Status::timeout && record.status != Status::cancelled;
}

/// The notes behind a round's reason for ending: "; the data holds 2 NaN and 1 infinite values".
std::string notes_of(const std::string& reason) {
    const std::size_t at = reason.find("; ");
    return at == std::string::npos ? std::string() : reason.substr(at);
}

std::string how_it_was_taken(const LiveSeries& series) {
    const SampleHistory& history = series.history;
    std::string words = fmt::format("live timing, {} samples", history.count());
    if (history.stride() > 1) words += fmt::format(", 1 in {} kept", history.stride());
    words += history.counts().left_out();
    if (const std::string doubts = series.timing.doubts(); !doubts.empty()) words += "; " + doubts;
    return words;
}

void look(LiveSeries& series, double requested_noise_pct) {
    const SampleHistory& history = series.history;
    const SampleCounts counts = history.counts();
    // Looking every 6 % keeps the cost of looking small against that of sampling.
    const std::int64_t all = counts.counted + counts.waited;
    series.next_look = all + 1 + all / 16;
    series.timing = counts.too_busy() ? TimingSummary() : summarize(history.kept(), requested_noise_pct);
    series.settled = series.timing.settled(requested_noise_pct) && history.count() >= min_settled_samples;
    if (!series.latest || is_failure(*series.latest)) return;
    if (counts.too_busy()) return set_too_busy(*series.latest, counts);
    if (series.timing.samples == 0) return clear_times(*series.latest);
    set_times(*series.latest, series.timing);
    if (series.timing.samples < min_median_samples) return;
    if (is_too_busy(*series.latest)) series.latest->status_reason = how_it_was_taken(series);
    series.latest->status = Status::passed;
}

}  // namespace

bool note_sample(LiveSeries& series, const Progress& progress, double requested_noise_pct) {
    series.progress = progress;
    if (progress.phase != "sampling") return false;
    SampleHistory& history = series.history;
    history.set_waited_in_round(progress.waited);
    if (progress.samples == 0)
        history.keep_in_round(0);
    else
        history.add(progress.samples, progress.last_us);
    const SampleCounts counts = history.counts();
    if (counts.counted + counts.waited < series.next_look) return false;
    look(series, requested_noise_pct);
    return true;
}

void note_record(LiveSeries& series, const Record& record, double requested_noise_pct) {
    // A row without samples says only that it was cut short: the present values stay.
    const bool cut = record.status == Status::cancelled;
    if (!cut) series.history.keep_in_round(record.samples);
    const bool throttled = series.latest && series.latest->throttled.value_or(false);
    const std::string vendor = series.latest ? series.latest->vendor_method : std::string();
    if (!cut || !series.latest) series.latest = record;
    series.latest->samples_us.clear();
    // A round without a time names no baseline.
    if (series.latest->vendor_method.empty()) series.latest->vendor_method = vendor;
    if (throttled) series.latest->throttled = true;
    if (record.sm_clock_mhz) {
        series.clocks_mhz.add(*record.sm_clock_mhz);
        series.latest->sm_clock_mhz = series.clocks_mhz.median();
    }
    if (is_failure(record)) {
        series.history = {};
        series.timing = {};
        series.settled = false;
        return;
    }
    look(series, requested_noise_pct);
    if (!is_timed(*series.latest)) return;
    series.latest->status_reason = how_it_was_taken(series) + notes_of(record.status_reason);
}

void set_ratios(std::vector<LiveSeries>& all) {
    for (LiveSeries& series : all) {
        if (!series.latest) continue;
        series.latest->speedup_vs_vendor.reset();
        series.latest->speedup_interval.reset();
        if (series.latest->vendor_method.empty() || !series.latest->time_median_us) continue;
        const auto vendor = std::ranges::find(all, series.latest->vendor_method, &LiveSeries::method);
        if (vendor == all.end() || !(vendor->timing.median_us > 0) || !(series.timing.median_us > 0)) continue;
        series.latest->speedup_vs_vendor = vendor->timing.median_us / series.timing.median_us;
        if (&*vendor != &series) series.latest->speedup_interval = ratio_interval(vendor->timing, series.timing);
    }
}

}  // namespace convscope
