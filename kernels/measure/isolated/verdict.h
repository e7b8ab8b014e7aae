// Decides which of two candidates is faster: repeats runs until the answer is certain, or time is up.
#pragma once

#include <random>

#include "kernels/measure/isolated/isolated_measurer.h"

namespace convscope {

struct VerdictRequest {
    PointRequest point;         ///< two candidates
    double tie_pct = 1;         ///< a difference below this is none
    double confidence = 0.99;   ///< of the answer, however often the runs so far are looked at
    double time_limit_s = 120;  ///< then no more runs begin
};

struct SpeedVerdict {
    enum class Answer { faster, slower, same, unknown };
    Answer answer = Answer::unknown;  ///< of the first candidate
    double speedup = 0;               ///< the second one's time over the first one's: the median of the runs' ratios
    std::optional<std::pair<double, double>> interval;  ///< of the speed-up; nothing while there are too few runs
    std::size_t runs = 0;                               ///< that both have a time in
    std::size_t without = 0;                            ///< others: too busy, no sample counts
    std::optional<Record> failed;                       ///< the row that ended it
};

/// Each run is a separate process in which both candidates take turns, sample by sample, in random order. Whatever
/// slows both cancels in the ratio of their medians. Were they equal, this ratio would fall on either side of 1 with
/// the same probability, whatever else the machine does: the interval assumes only that
/// (SortedSamples::median_interval_at_any_look).
///
/// Ends when the interval lies on one side of 1 or within the tie, when the time is up, at a stop, and when a candidate
/// fails. Hands every row to the sink.
SpeedVerdict find_verdict(IsolatedMeasurer&, const VerdictRequest&, const PointSinks&, std::stop_token);

/// "ecr5 is faster than im2col: 1.52x (99 %: 1.49x to 1.55x), after 11 runs".
std::string describe(const SpeedVerdict&, const VerdictRequest&);

}  // namespace convscope
