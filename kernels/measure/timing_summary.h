// What a long run of samples says of one method's time, without the assumption that they are independent.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include "kernels/measure/statistics.h"

namespace convscope {

/// The times of a run that do not stay the same: the medians before and after the sample where they part most.
struct Drift {
    double before_us = 0, after_us = 0;
    std::size_t at = 0;  ///< the first sample of 'after'
};

struct TimingSummary {
    std::size_t samples = 0;
    double median_us = 0, q1_us = 0, q3_us = 0;
    /// 95 % interval of the median. Nothing with fewer than 6 samples.
    std::optional<std::pair<double, double>> interval_us;
    /// 97.5 % interval: the opposite ends of two make the 95 % interval of a ratio. Nothing with fewer than 7 samples.
    std::optional<std::pair<double, double>> wide_interval_us;
    std::optional<Drift> drift;

    /// Half of the 95 % interval in percent of the median.
    std::optional<double> noise_pct() const;
};

/// 'samples_us' are in the order of time, 'sorted' are the same and not empty.
///
/// Samples that follow each other resemble each other, so an interval that takes them for independent is too narrow.
/// The samples are therefore also split into 24 batches, one after the other and of the same length, and the interval
/// spans that of the samples and that of the batches' medians (both by order statistics, median_interval). Up to 24
/// samples the two are the same.
///
/// The time drifts when the medians of the batches before some point are all below those after it, or all above, with
/// at least three batches on each side, and the medians of the two sides differ by more than 'requested_noise_pct'.
TimingSummary summarize(std::span<const double> samples_us, const SortedSamples& sorted, double requested_noise_pct);

/// The interval of base's median over other's, with at least 95 % confidence. Nothing when either has no wide interval.
std::optional<std::pair<double, double>> ratio_interval(const TimingSummary& base, const TimingSummary& other);

}  // namespace convscope
