// Summarises the samples of one method: the median, and how far it can be trusted. Successive samples resemble each
// other; nothing here assumes that they are independent. Every interval of a measured time comes from here.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace convscope {

using Interval = std::optional<std::pair<double, double>>;

/// A time that changes within a run: the medians before and after the sample where they differ most.
struct Drift {
    double before_us = 0, after_us = 0;
    std::size_t at = 0;  ///< the first sample of 'after'
};

struct TimingSummary {
    std::size_t samples = 0, runs = 1;
    double median_us = 0, mean_us = 0, min_us = 0, q1_us = 0, q3_us = 0;
    /// Medians of up to 24 successive batches of the samples, equally long; or one per run.
    std::vector<double> batch_medians_us;
    /// 95 % interval of the median. Nothing with fewer than 6 samples.
    Interval interval_us;
    /// 97.5 % interval: the opposite ends of two make the 95 % interval of a ratio of both. Nothing with fewer than 7
    /// samples.
    Interval wide_interval_us;
    /// Neighbouring batches resemble each other, so that there are too few independent samples for the stated
    /// confidence: the interval then spans all batches, and more samples are needed.
    bool dependent = false;
    std::optional<Drift> drift;

    /// Half of the 95 % interval in percent of the median.
    std::optional<double> noise_pct() const;
    /// The interval is as narrow as requested, and may be trusted.
    bool settled(double requested_noise_pct) const;
    /// Explains why the interval promises less than it states; empty where it does not.
    std::string doubts() const;
};

/// Summarises one run's samples in the order of time; no samples give an empty summary.
///
/// The interval spans that of the samples by order statistics and the medians of 8 parts, one after the other: were the
/// true median beyond them, 8 independent medians would all lie on one side of it, which happens once in 128 times.
/// That is rarer than the 5 % stated, because sampling ends when the interval is narrow enough, and looking at it again
/// and again finds one that is so by chance.
///
/// The time drifts when the medians of the batches before some point are all below those after it, or all above, with
/// at least three batches on each side, and the medians of the two sides differ by more than 'requested_noise_pct'.
TimingSummary summarize(std::span<const double> samples_us, double requested_noise_pct = 1);

/// Summarises several runs of the same thing, each in a separate process with at least one sample. The interval spans
/// the medians of the runs, or of 8 groups of them; fewer than 6 runs have none.
TimingSummary summarize_runs(const std::vector<std::vector<double>>& runs_us);

/// The 95 % interval of base's median over other's, which were sampled in turn: changes that their batches share, a
/// clock that drifts, cancel. Nothing when either has fewer than 6 batches.
Interval ratio_interval(const TimingSummary& base, const TimingSummary& other);

}  // namespace convscope
