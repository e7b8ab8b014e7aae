#include "kernels/measure/timing_summary.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace convscope {
namespace {

using Interval = std::optional<std::pair<double, double>>;

constexpr std::size_t batch_count = 24, min_batches_beside_drift = 3;

SortedSamples sorted_part(std::span<const double> samples_us, std::size_t begin, std::size_t end) {
    return SortedSamples({samples_us.begin() + static_cast<std::ptrdiff_t>(begin),
                          samples_us.begin() + static_cast<std::ptrdiff_t>(end)});
}

/// The first sample of a batch.
std::size_t batch_begin(std::size_t batch, std::size_t batches, std::size_t samples) {
    return batch * samples / batches;
}

std::vector<double> batch_medians(std::span<const double> samples_us) {
    std::vector<double> medians(std::min(batch_count, samples_us.size()));
    for (std::size_t i = 0; i < medians.size(); ++i)
        medians[i] = sorted_part(samples_us, batch_begin(i, medians.size(), samples_us.size()),
                                 batch_begin(i + 1, medians.size(), samples_us.size()))
                         .median();
    return medians;
}

Interval spanned(const Interval& a, const Interval& b) {
    if (!a || !b) return std::nullopt;
    return std::pair{std::min(a->first, b->first), std::max(a->second, b->second)};
}

/// Whether all of one side are below all of the other.
bool apart(std::span<const double> before, std::span<const double> after) {
    const auto [low_before, high_before] = std::ranges::minmax(before);
    const auto [low_after, high_after] = std::ranges::minmax(after);
    return high_before < low_after || high_after < low_before;
}

std::optional<Drift> find_drift(std::span<const double> samples_us, const std::vector<double>& medians, double min_us) {
    std::optional<Drift> largest;
    const std::span<const double> all(medians);
    for (std::size_t i = min_batches_beside_drift; i + min_batches_beside_drift <= medians.size(); ++i) {
        if (!apart(all.first(i), all.subspan(i))) continue;
        Drift drift;
        drift.at = batch_begin(i, medians.size(), samples_us.size());
        drift.before_us = sorted_part(samples_us, 0, drift.at).median();
        drift.after_us = sorted_part(samples_us, drift.at, samples_us.size()).median();
        const double change = std::abs(drift.after_us - drift.before_us);
        if (change > min_us && (!largest || change > std::abs(largest->after_us - largest->before_us))) largest = drift;
    }
    return largest;
}

}  // namespace

std::optional<double> TimingSummary::noise_pct() const {
    if (!interval_us || !(median_us > 0)) return std::nullopt;
    return 100 * (interval_us->second - interval_us->first) / 2 / median_us;
}

TimingSummary summarize(std::span<const double> samples_us, const SortedSamples& sorted, double requested_noise_pct) {
    const std::vector<double> medians = batch_medians(samples_us);
    const SortedSamples batches(medians);
    TimingSummary summary;
    summary.samples = samples_us.size();
    summary.median_us = sorted.median();
    summary.q1_us = sorted.quantile(0.25);
    summary.q3_us = sorted.quantile(0.75);
    summary.interval_us = spanned(sorted.median_interval(0.95), batches.median_interval(0.95));
    summary.wide_interval_us = spanned(sorted.median_interval(0.975), batches.median_interval(0.975));
    if (medians.size() == batch_count)
        summary.drift = find_drift(samples_us, medians, requested_noise_pct / 100 * summary.median_us);
    return summary;
}

Interval ratio_interval(const TimingSummary& base, const TimingSummary& other) {
    const Interval &above = base.wide_interval_us, &below = other.wide_interval_us;
    if (!above || !below || !(below->first > 0)) return std::nullopt;
    return std::pair{above->first / below->second, above->second / below->first};
}

}  // namespace convscope
