// Order statistics: quantiles and intervals that assume nothing about a distribution.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace convscope {

/// Keeps values in ascending order, so that quantiles are known after each.
class SortedSamples {
public:
    SortedSamples() = default;
    explicit SortedSamples(std::vector<double> values);  ///< in any order
    void add(double value);
    std::size_t size() const { return values_.size(); }
    bool empty() const { return values_.empty(); }
    std::span<const double> values() const { return values_; }

    /// The p-quantile by linear interpolation between order statistics: position (n - 1) p counted from 0, the
    /// definition that numpy and R (type 7) use. 'empty()' must be false.
    double quantile(double p) const;
    double median() const { return quantile(0.5); }
    double mean() const;

    /// A confidence interval of the median of independent values: the two order statistics between which it lies with
    /// at least this confidence. Nothing when there are too few values (fewer than 6 for 95 %).
    std::optional<std::pair<double, double>> median_interval(double confidence) const;
    /// The same when the caller looks after each new value and may stop at any look: with this confidence the median
    /// lies in the intervals of all looks. Nothing with fewer than 11 values for 99 %.
    std::optional<std::pair<double, double>> median_interval_at_any_look(double confidence) const;

private:
    std::optional<std::pair<double, double>> between_ranks(std::int64_t rank) const;

    std::vector<double> values_;
};

/// The rank of the interval's ends from each end of the sorted values, counted from 1; 0 when there are too few values.
/// The largest rank j with P(Binomial(n, 1/2) < j) <= (1 - confidence) / 2.
std::int64_t median_interval_rank(std::int64_t n, double confidence);

/// The same for looks at any time: the sign test as a test martingale. If a place is the true median, betting that
/// values fall above it gains nothing on average, and multiplies the stake by 2 / (1 - confidence) with a probability
/// of (1 - confidence) / 2 at most, however long it goes on (Ville 1939). Beyond the interval are the places where it
/// has.
std::int64_t any_look_rank(std::int64_t n, double confidence);

}  // namespace convscope
