// Predicts the times of other points from a few: a Gaussian process on the logarithm of the time (Rasmussen & Williams,
// Gaussian Processes for Machine Learning, 2006, Algorithm 2.1).
#pragma once

#include <span>
#include <vector>

#include "app/sweep/search_space.h"

namespace convscope {

/// Points count as alike by what their launches have in common: each extent and tunable, the threads of a block, and
/// the predicted occupancy, blocks and shared memory. Half of the covariance is of each of these alone, so that "16 is
/// a good width" carries over to all heights; half is of all together.
class RuntimeSurrogate {
public:
    explicit RuntimeSurrogate(const SearchSpace&);

    void learn(std::size_t point, double time_us);
    /// The most promising of these points: its prediction less its uncertainty times 'exploration_weight' is the least.
    std::size_t fastest(std::span<const std::size_t> points, double exploration_weight);

private:
    double covariance(std::size_t a, std::size_t b) const;
    void solve();

    std::vector<std::vector<double>> features_;  // of each point of the space, 0..1
    std::vector<std::size_t> known_;
    std::vector<double> log_times_;
    // The Cholesky factor of the known points' covariances, row after row, and the weights of each in a mean.
    std::vector<std::vector<double>> factor_;
    std::vector<double> weights_;
    double mean_ = 0, spread_ = 1;
    bool solved_ = false;
};

}  // namespace convscope
