#include "kernels/records/ratio_estimate.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace convscope {
namespace {

constexpr std::size_t fewest_samples = 7, resamplings = 4000;
constexpr double z95 = 1.959964;

/// Draws medians of resampled samples without resampling. The median of n draws from n sorted values is decided by
/// the middle order statistics of n uniform numbers, which are ratios of sums of n + 1 exponential ones: of a gamma
/// variable for what lies below, one exponential between the two middle ones of an even n, and a gamma for the rest.
class ResampledMedian {
public:
    explicit ResampledMedian(std::vector<double> samples) : sorted_(std::move(samples)) {
        std::sort(sorted_.begin(), sorted_.end());
    }

    double draw(std::mt19937_64& random) {
        const std::size_t n = sorted_.size();
        const bool even = n % 2 == 0;
        std::gamma_distribution<double> half(static_cast<double>(even ? n / 2 : (n + 1) / 2), 1);
        std::exponential_distribution<double> one(1);
        const double below = half(random), between = even ? one(random) : 0, above = half(random);
        const double sum = below + between + above;
        return (at(below / sum) + at((below + between) / sum)) / 2;
    }

private:
    double at(double uniform) const {
        const auto place = static_cast<std::size_t>(uniform * static_cast<double>(sorted_.size()));
        return sorted_[std::min(place, sorted_.size() - 1)];
    }

    std::vector<double> sorted_;
};

std::pair<double, double> bootstrap(const Record& base, const Record& other) {
    ResampledMedian base_median(base.samples_us), other_median(other.samples_us);
    std::mt19937_64 random(1);  // the same files give the same interval
    std::vector<double> ratios(resamplings);
    for (double& ratio : ratios) ratio = base_median.draw(random) / other_median.draw(random);
    std::sort(ratios.begin(), ratios.end());
    const auto quantile = [&](double p) { return ratios[static_cast<std::size_t>(p * (resamplings - 1))]; };
    return {quantile(0.025), quantile(0.975)};
}

/// The standard deviation of the median's logarithm, and what it was taken from.
struct Spread {
    double deviation;
    const char* from;
};
std::optional<Spread> spread_of(const Record& record) {
    if (record.noise_pct) return Spread{*record.noise_pct / 100 / z95, "noise"};
    if (!record.time_q1_us || !record.time_q3_us || record.samples < 3) return std::nullopt;
    const double deviation = (*record.time_q3_us - *record.time_q1_us) / 1.349;
    return Spread{1.2533 * deviation / std::sqrt(static_cast<double>(record.samples)) / *record.time_median_us,
                  "quartiles"};
}

bool has_samples(const Record& record) {
    return record.samples_us.size() >= fewest_samples &&
           std::all_of(record.samples_us.begin(), record.samples_us.end(), [](double time_us) { return time_us > 0; });
}

bool has_time(const Record& record) {
    return record.status == Status::passed && record.time_median_us && *record.time_median_us > 0;
}

}  // namespace

std::optional<RatioEstimate> estimate_speedup(const Record& base, const Record& other) {
    if (!has_time(base) || !has_time(other)) return std::nullopt;
    RatioEstimate estimate;
    estimate.ratio = *base.time_median_us / *other.time_median_us;
    if (has_samples(base) && has_samples(other)) {
        estimate.interval = bootstrap(base, other);
        estimate.from = "samples";
        return estimate;
    }
    const auto a = spread_of(base), b = spread_of(other);
    if (!a || !b) return estimate;
    const double half = std::exp(z95 * std::hypot(a->deviation, b->deviation));
    estimate.interval = {estimate.ratio / half, estimate.ratio * half};
    estimate.from = std::string(a->from) == "noise" ? b->from : a->from;
    return estimate;
}

std::pair<double, double> speedup_interval(double speedup, double base_noise_pct, double other_noise_pct) {
    const double half = std::exp(std::hypot(base_noise_pct, other_noise_pct) / 100);
    return {speedup / half, speedup * half};
}

}  // namespace convscope
