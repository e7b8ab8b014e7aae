// The ratio of two times from different runs, with an interval that includes the spread between runs.
#pragma once

#include <optional>
#include <string_view>
#include <utility>

#include "kernels/records/record.h"

namespace convscope {

struct RatioEstimate {
    double ratio = 0;                                   ///< of the medians
    std::optional<std::pair<double, double>> interval;  ///< 99 %; nothing where a row does not say its noise
    std::string_view from;  ///< "runs", "noise" or "quartiles", of the weaker row; empty without an interval
};

/// Whether the ratio of two times of one run is not 1, by more than its 95 % interval: each noise is half of that of a
/// median, in percent of it. A time without one, measured once, has no interval: its ratio differs from nothing.
bool differs_from_one(double ratio, std::optional<double> noise_pct, std::optional<double> other_noise_pct);

/// The standard deviation, in percent, between the medians of separate records of the same thing, beyond their stated
/// noise. Processes get other addresses, minutes other clocks and neighbours. Measured (docs/measuring.md, 'Two
/// records') in the scopes kernel and setup; the scopes between count as setup. A kernel's time on a GPU whose noise
/// spans several runs has the deviation of time alone.
double spread_between_records_pct(const Record&);

/// The speed-up of 'other' over 'base': base's median over other's. Nothing when one of them has no time.
///
/// The logarithms of the medians count as normal. The variance of each has two parts: of a deviation of noise_pct
/// / 1.96 or, with at least 3 samples and no noise_pct, of 1.2533 (q3 - q1) / 1.349 / sqrt(n) of the median; and of
/// 'between_pct', else spread_between_records_pct.
std::optional<RatioEstimate> estimate_speedup(const Record& base, const Record& other,
                                              std::optional<double> between_pct = {});

}  // namespace convscope
