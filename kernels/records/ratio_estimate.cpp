#include "kernels/records/ratio_estimate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "kernels/core/timing.h"
#include "kernels/records/record_key.h"

namespace convscope {
namespace {

constexpr double z95 = 1.959964, z99 = 2.575829;

/// From the weakest.
constexpr std::array<const char*, 3> sources{"quartiles", "noise", "runs"};

/// The standard deviation of the median's logarithm, and what it was taken from.
struct Spread {
    double deviation;
    std::size_t from;  ///< of 'sources'
};
std::optional<Spread> spread_of(const Record& record, std::optional<double> between_pct) {
    const double between = between_pct.value_or(spread_between_records_pct(record)) / 100;
    if (record.noise_pct)
        return Spread{std::hypot(*record.noise_pct / 100 / z95, between), record.noise_from == "runs" ? 2U : 1U};
    // Without samples that count, the quartiles say nothing either.
    if (!record.noise_from.empty() || !record.time_q1_us || !record.time_q3_us || record.samples < 3)
        return std::nullopt;
    const double deviation = (*record.time_q3_us - *record.time_q1_us) / 1.349;
    const double within = 1.2533 * deviation / std::sqrt(static_cast<double>(record.samples)) / *record.time_median_us;
    return Spread{std::hypot(within, between), 0U};
}

}  // namespace

bool differs_from_one(double ratio, std::optional<double> noise_pct, std::optional<double> other_noise_pct) {
    return noise_pct && other_noise_pct && std::abs(ratio - 1) > ratio * std::hypot(*noise_pct, *other_noise_pct) / 100;
}

double spread_between_records_pct(const Record& record) {
    if (device_kind(record) == "cpu") return 40;
    if (record.timing_scope != to_string(TimingScope::kernel)) return 20;
    return record.noise_from == "runs" ? 0.6 : 1.8;
}

std::optional<RatioEstimate> estimate_speedup(const Record& base, const Record& other,
                                              std::optional<double> between_pct) {
    if (!is_timed(base) || !is_timed(other)) return std::nullopt;
    RatioEstimate estimate;
    estimate.ratio = *base.time_median_us / *other.time_median_us;
    const auto a = spread_of(base, between_pct), b = spread_of(other, between_pct);
    if (!a || !b) return estimate;
    const double half = std::exp(z99 * std::hypot(a->deviation, b->deviation));
    estimate.interval = {estimate.ratio / half, estimate.ratio * half};
    estimate.from = sources.at(std::min(a->from, b->from));
    return estimate;
}

}  // namespace convscope
