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

namespace {

double log_choose(double n, double k) {
    return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1);
}

/// The wealth of a gambler who began with 1, when 'above' of n values lay above and the bets spread evenly over all
/// shares s of the money: the integral of (1 + s)^above (1 - s)^(n - above) from 0 to 1, which is 2^(n + 1) B(above +
/// 1, n - above + 1) P(Binomial(n + 1, 1/2) <= above).
double wealth(double n, double above) {
    double at_most = 0;
    for (double i = 0; i <= above; ++i) at_most += std::exp(log_choose(n + 1, i) - (n + 1) * std::log(2.0));
    return at_most * std::exp((n + 1) * std::log(2.0) - log_choose(n, above)) / (n + 1);
}

}  // namespace

std::int64_t any_look_rank(std::int64_t n, double confidence) {
    const double enough = 2 / (1 - confidence);
    std::int64_t rank = 0;
    while (rank < n / 2 && wealth(static_cast<double>(n), static_cast<double>(n - rank)) >= enough) ++rank;
    return rank;
}

std::optional<std::pair<double, double>> SortedSamples::median_interval(double confidence) const {
    return between_ranks(median_interval_rank(static_cast<std::int64_t>(values_.size()), confidence));
}

std::optional<std::pair<double, double>> SortedSamples::median_interval_at_any_look(double confidence) const {
    return between_ranks(any_look_rank(static_cast<std::int64_t>(values_.size()), confidence));
}

std::optional<std::pair<double, double>> SortedSamples::between_ranks(std::int64_t rank) const {
    if (rank < 1) return std::nullopt;
    const auto from_end = static_cast<std::size_t>(rank);
    return std::pair{values_[from_end - 1], values_[values_.size() - from_end]};
}

}  // namespace convscope
