#include "kernels/measure/timing_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/measure/statistics.h"

namespace convscope {
namespace {

constexpr std::size_t batch_count = 24, min_batches_beside_drift = 3;
// Independent medians all lie on one side of the true one with probability 2^(1 - n): 1 in 32, and 1 in 128.
constexpr std::size_t min_parts = 6, max_parts = 8;
// The correlation of neighbours among 24 independent values exceeds this 5 times in 100.
constexpr double max_correlation = 0.3;
constexpr std::size_t min_for_correlation = 12;

/// The medians of equal parts, one after the other; each value where there are no more values than parts.
std::vector<double> part_medians(std::span<const double> values, std::size_t parts) {
    parts = std::min(parts, values.size());
    std::vector<double> medians;
    for (std::size_t i = 0; i < parts; ++i) {
        const std::size_t begin = i * values.size() / parts, end = (i + 1) * values.size() / parts;
        const auto part = values.subspan(begin, end - begin);
        medians.push_back(SortedSamples({part.begin(), part.end()}).median());
    }
    return medians;
}

/// The correlation of each value with the next.
double correlation_of_neighbours(std::span<const double> values) {
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    double products = 0, squares = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        squares += (values[i] - mean) * (values[i] - mean);
        if (i > 0) products += (values[i] - mean) * (values[i - 1] - mean);
    }
    return squares > 0 ? products / squares : 0;
}

bool depend(std::span<const double> medians) {
    return medians.size() >= min_for_correlation && correlation_of_neighbours(medians) > max_correlation;
}

/// From the smallest to the largest of 8 parts' medians, of all of them where neighbours resemble each other. Nothing
/// with fewer than 6.
Interval range_of(std::span<const double> medians) {
    if (medians.size() < min_parts) return std::nullopt;
    const std::vector<double> parts = part_medians(medians, depend(medians) ? medians.size() : max_parts);
    const auto [low, high] = std::ranges::minmax(parts);
    return std::pair{low, high};
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

std::optional<Drift> find_drift(std::span<const double> samples_us, std::span<const double> medians, double min_us) {
    std::optional<Drift> largest;
    for (std::size_t i = min_batches_beside_drift; i + min_batches_beside_drift <= medians.size(); ++i) {
        if (!apart(medians.first(i), medians.subspan(i))) continue;
        Drift drift;
        drift.at = i * samples_us.size() / medians.size();
        drift.before_us = part_medians(samples_us.first(drift.at), 1).front();
        drift.after_us = part_medians(samples_us.subspan(drift.at), 1).front();
        const double change = std::abs(drift.after_us - drift.before_us);
        if (change > min_us && (!largest || change > std::abs(largest->after_us - largest->before_us))) largest = drift;
    }
    return largest;
}

TimingSummary without_interval(const SortedSamples& sorted) {
    TimingSummary summary;
    summary.samples = sorted.size();
    summary.median_us = sorted.median();
    summary.mean_us = sorted.mean();
    summary.min_us = sorted.values().front();
    summary.q1_us = sorted.quantile(0.25);
    summary.q3_us = sorted.quantile(0.75);
    return summary;
}

}  // namespace

std::optional<double> TimingSummary::noise_pct() const {
    if (!interval_us || !(median_us > 0)) return std::nullopt;
    return 100 * (interval_us->second - interval_us->first) / 2 / median_us;
}

bool TimingSummary::settled(double requested_noise_pct) const {
    const std::optional<double> noise = noise_pct();
    return noise && *noise <= requested_noise_pct && !dependent && !drift;
}

std::string TimingSummary::doubts() const {
    if (drift) return fmt::format("the time drifts: {:.4g} us, then {:.4g} us", drift->before_us, drift->after_us);
    return dependent ? "neighbouring samples resemble each other: too few independent ones for a sure interval" : "";
}

TimingSummary summarize(std::span<const double> samples_us, double requested_noise_pct) {
    if (samples_us.empty()) return {};
    const SortedSamples sorted({samples_us.begin(), samples_us.end()});
    TimingSummary summary = without_interval(sorted);
    summary.batch_medians_us = part_medians(samples_us, batch_count);
    const Interval range = range_of(summary.batch_medians_us);
    summary.interval_us = spanned(sorted.median_interval(0.95), range);
    summary.wide_interval_us = spanned(sorted.median_interval(0.975), range);
    summary.dependent = depend(summary.batch_medians_us);
    if (summary.batch_medians_us.size() == batch_count)
        summary.drift = find_drift(samples_us, summary.batch_medians_us, requested_noise_pct / 100 * summary.median_us);
    return summary;
}

TimingSummary summarize_runs(const std::vector<std::vector<double>>& runs_us) {
    std::vector<double> all;
    for (const std::vector<double>& run : runs_us) all.insert(all.end(), run.begin(), run.end());
    TimingSummary summary = without_interval(SortedSamples(std::move(all)));
    summary.runs = runs_us.size();
    for (const std::vector<double>& run : runs_us) summary.batch_medians_us.push_back(SortedSamples(run).median());
    const Interval itself = std::pair{summary.median_us, summary.median_us};
    summary.interval_us = summary.wide_interval_us = spanned(itself, range_of(summary.batch_medians_us));
    return summary;
}

Interval ratio_interval(const TimingSummary& base, const TimingSummary& other) {
    const std::size_t count = std::min(base.batch_medians_us.size(), other.batch_medians_us.size());
    const std::vector<double> above = part_medians(base.batch_medians_us, count);
    const std::vector<double> below = part_medians(other.batch_medians_us, count);
    if (!(other.min_us > 0)) return std::nullopt;
    std::vector<double> ratios(count);
    std::ranges::transform(above, below, ratios.begin(), std::divides());
    const double ratio = base.median_us / other.median_us;
    return spanned(std::pair{ratio, ratio}, range_of(ratios));
}

}  // namespace convscope
