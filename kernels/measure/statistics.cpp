#include "kernels/measure/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace convscope {

SortedSamples::SortedSamples(std::vector<double> values) : values_(std::move(values)) {
    std::sort(values_.begin(), values_.end());
}

void SortedSamples::add(double value) {
    values_.insert(std::upper_bound(values_.begin(), values_.end(), value), value);
}

double SortedSamples::quantile(double p) const {
    const double position = static_cast<double>(values_.size() - 1) * p;
    const auto below = static_cast<std::size_t>(position);
    const std::size_t above = std::min(below + 1, values_.size() - 1);
    const double part = position - static_cast<double>(below);
    return values_[below] + part * (values_[above] - values_[below]);
}

double SortedSamples::mean() const {
    return std::accumulate(values_.begin(), values_.end(), 0.0) / static_cast<double>(values_.size());
}

std::int64_t median_interval_rank(std::int64_t n, double confidence) {
    const double tail = (1.0 - confidence) / 2;
    const double log_half_n = -static_cast<double>(n) * std::log(2.0);
    double log_choose = 0;  // log of n over i
    double below = 0;       // P(Binomial(n, 1/2) < rank)
    std::int64_t rank = 0;
    while (rank < n / 2) {
        below += std::exp(log_choose + log_half_n);
        if (below > tail) break;
        log_choose += std::log(static_cast<double>(n - rank)) - std::log(static_cast<double>(rank + 1));
        ++rank;
    }
    return rank;
}

std::optional<std::pair<double, double>> SortedSamples::median_interval(double confidence) const {
    const auto n = static_cast<std::int64_t>(values_.size());
    const std::int64_t rank = median_interval_rank(n, confidence);
    if (rank < 1) return std::nullopt;
    return std::pair{values_[rank - 1], values_[n - rank]};
}

}  // namespace convscope
