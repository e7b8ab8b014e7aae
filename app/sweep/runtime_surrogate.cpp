#include "app/sweep/runtime_surrogate.h"

#include <algorithm>
#include <cmath>

namespace convscope {
namespace {

constexpr double length_alone = 0.4, length_together = 1;  // of features between 0 and 1
constexpr double kept_share = 0.6;                         // of the known times, from the fastest
constexpr double noise_variance = 1e-3;                    // of the times' variance

double bell(double squared_distance, double length) {
    return std::exp(-squared_distance / (2 * length * length));
}

/// How slow the slow ones are says nothing of where the fastest is, and would drown what tells the fast ones apart: the
/// slower ones count as the slowest of the kept share.
std::vector<double> clipped(std::vector<double> values) {
    std::vector<double> order = values;
    std::sort(order.begin(), order.end());
    const double most = order[static_cast<std::size_t>(kept_share * static_cast<double>(order.size() - 1))];
    for (double& value : values) value = std::min(value, most);
    return values;
}

/// To 0..1 by the logarithm: from 32 to 64 threads is as far as from 512 to 1024. One that never varies is left out.
void add_feature(std::vector<std::vector<double>>& features, std::vector<double> values) {
    for (double& value : values) value = std::log2(1 + value);
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    if (values.empty() || !(*most > *least)) return;
    for (std::size_t i = 0; i < values.size(); ++i) features[i].push_back((values[i] - *least) / (*most - *least));
}

}  // namespace

RuntimeSurrogate::RuntimeSurrogate(const SearchSpace& space) : features_(space.size()) {
    for (std::size_t axis = 0; axis < space.axes().size(); ++axis) {
        std::vector<double> values;
        for (std::size_t i = 0; i < space.size(); ++i) values.push_back(space.value(i, axis));
        add_feature(features_, std::move(values));
    }
    std::vector<double> threads, occupancy, blocks, shared;
    for (std::size_t i = 0; i < space.size(); ++i) {
        const LaunchPoint& point = space.point(i);
        threads.push_back(point.launch.block ? static_cast<double>(point.launch.block->count()) : 0);
        occupancy.push_back(point.occupancy_pct);
        blocks.push_back(point.blocks);
        shared.push_back(point.shared_bytes);
    }
    for (std::vector<double>* values : {&threads, &occupancy, &blocks, &shared})
        add_feature(features_, std::move(*values));
}

double RuntimeSurrogate::covariance(std::size_t a, std::size_t b) const {
    double alone = 0, together = 0;
    const std::size_t count = features_[a].size();
    for (std::size_t f = 0; f < count; ++f) {
        const double apart = features_[a][f] - features_[b][f];
        alone += bell(apart * apart, length_alone);
        together += apart * apart;
    }
    return 0.5 * (count > 0 ? alone / static_cast<double>(count) : 1) + 0.5 * bell(together, length_together);
}

void RuntimeSurrogate::learn(std::size_t point, double time_us) {
    known_.push_back(point);
    log_times_.push_back(std::log(std::max(time_us, 1e-9)));
    solved_ = false;
}

void RuntimeSurrogate::solve() {
    const std::size_t n = known_.size();
    const std::vector<double> log_times = clipped(log_times_);
    mean_ = 0;
    for (const double value : log_times) mean_ += value / static_cast<double>(n);
    double variance = 0;
    for (const double value : log_times) variance += (value - mean_) * (value - mean_) / static_cast<double>(n);
    spread_ = variance > 0 ? std::sqrt(variance) : 1;
    factor_.assign(n, {});
    for (std::size_t i = 0; i < n; ++i) {
        factor_[i].resize(i + 1);
        for (std::size_t j = 0; j <= i; ++j) {
            double sum = covariance(known_[i], known_[j]) + (i == j ? noise_variance : 0);
            for (std::size_t k = 0; k < j; ++k) sum -= factor_[i][k] * factor_[j][k];
            factor_[i][j] = i == j ? std::sqrt(std::max(sum, 1e-12)) : sum / factor_[j][j];
        }
    }
    weights_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        double sum = (log_times[i] - mean_) / spread_;
        for (std::size_t k = 0; k < i; ++k) sum -= factor_[i][k] * weights_[k];
        weights_[i] = sum / factor_[i][i];
    }
    for (std::size_t i = n; i-- > 0;) {
        for (std::size_t k = i + 1; k < n; ++k) weights_[i] -= factor_[k][i] * weights_[k];
        weights_[i] /= factor_[i][i];
    }
    solved_ = true;
}

std::size_t RuntimeSurrogate::fastest(std::span<const std::size_t> points, double exploration_weight) {
    if (known_.empty()) return points.front();
    if (!solved_) solve();
    std::size_t chosen = points.front();
    double least = INFINITY;
    std::vector<double> like(known_.size());
    for (const std::size_t point : points) {
        double guess = 0, certain = 0;
        for (std::size_t i = 0; i < known_.size(); ++i) {
            const double covaries = covariance(point, known_[i]);
            guess += covaries * weights_[i];
            double sum = covaries;
            for (std::size_t k = 0; k < i; ++k) sum -= factor_[i][k] * like[k];
            like[i] = sum / factor_[i][i];
            certain += like[i] * like[i];
        }
        const double hope = guess - exploration_weight * std::sqrt(std::max(0.0, 1 - certain));
        if (hope >= least) continue;
        least = hope;
        chosen = point;
    }
    return chosen;
}

}  // namespace convscope
