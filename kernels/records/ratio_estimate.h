// The ratio of two measured times, with an interval that says how much of it is noise.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "kernels/records/record.h"

namespace convscope {

struct RatioEstimate {
    double ratio = 0;                                   ///< of the medians
    std::optional<std::pair<double, double>> interval;  ///< 95 %; nothing where neither row says how its samples spread
    std::string from;  ///< "samples", "noise" or "quartiles"; empty without an interval
};

/// How many times as fast 'other' is as 'base': base's median over other's. Nothing when one of them has no time.
///
/// With at least 7 raw samples in both rows the interval is the bootstrap's: of 4000 ratios of resampled medians the
/// central 95 % (Efron 1979). Otherwise the logarithms of the medians count as normal, with a standard deviation of
/// noise_pct / 1.96 or, with at least 3 samples and no noise_pct, of 1.2533 (q3 - q1) / 1.349 / sqrt(n) of the median,
/// and their variances add up. All of it is the noise within the two runs; what changed between them, clocks and
/// temperature too, is part of the ratio.
std::optional<RatioEstimate> estimate_speedup(const Record& base, const Record& other);

/// The interval of a speed-up whose medians' noise (half their 95 % intervals, in percent) is known: that of two normal
/// logarithms, as above.
std::pair<double, double> speedup_interval(double speedup, double base_noise_pct, double other_noise_pct);

}  // namespace convscope
