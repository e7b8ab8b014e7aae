// Statistics of timing samples that assume nothing about their distribution.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace convscope {

/// Samples kept in ascending order, so that quantiles are at hand after every one.
class SortedSamples {
public:
    SortedSamples() = default;
    explicit SortedSamples(std::vector<double> values);  ///< in any order
    void add(double value);
    void clear() { values_.clear(); }
    std::size_t size() const { return values_.size(); }
    bool empty() const { return values_.empty(); }
    std::span<const double> values() const { return values_; }

    /// The p-quantile by linear interpolation between order statistics: position (n - 1) p counted from 0, the
    /// definition that numpy and R (type 7) use. 'empty()' must be false.
    double quantile(double p) const;
    double median() const { return quantile(0.5); }
    double mean() const;

    /// A distribution-free confidence interval of the median: the two order statistics between which the true
    /// median lies with at least this confidence. Nothing when there are too few samples (fewer than 6 for 95 %).
    std::optional<std::pair<double, double>> median_interval(double confidence) const;

    /// Half the width of the 95 % interval of the median, in percent of the median.
    std::optional<double> noise_pct() const;

private:
    std::vector<double> values_;
};

/// How many samples from each end the interval's ends lie, counted from 1; 0 when there are too few samples.
/// The largest rank j with P(Binomial(n, 1/2) < j) <= (1 - confidence) / 2.
std::int64_t median_interval_rank(std::int64_t n, double confidence);

/// The interval of baseline's median over ours, with at least 95 % confidence: each median takes a 97.5 % interval
/// (Bonferroni), and the ratio's ends pair their opposite ends. Nothing when either has too few samples (7).
std::optional<std::pair<double, double>> ratio_interval(const SortedSamples& baseline, const SortedSamples& ours);

}  // namespace convscope
