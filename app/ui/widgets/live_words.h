// Describes a live measurement's results in words.
#pragma once

#include <string>

#include "app/ui/widgets/format.h"
#include "kernels/measure/worker.h"
#include "kernels/method/registry.h"
#include "visualizers/explain/lead.h"

namespace convscope::app {

/// "240 samples", or "40 960 samples, 1 in 4 kept".
std::string describe_samples(const SampleHistory&);
/// Why a method counts as settled, or does not yet; with its interval.
std::string describe_settled(const LiveSeries&, double requested_noise_pct);
/// "ecr3: Too busy: 5 of 5 samples waited for a core", of each method of which that is so.
std::string describe_too_busy(const std::vector<LiveSeries>&, const char* between = ";  ");
/// Why a method that has a time has no ratio: in a word for its cell, and as a sentence. Both are empty where it has
/// one, or may still get one.
struct MissingRatio {
    std::string brief, sentence;
};
MissingRatio why_no_ratio(const LiveSeries&, const LiveSnapshot&, const Registry&, DeviceKind);
/// "1.34x"; "1.02x to 6.60x" where that is not certain to a half or does not exclude 1; empty without an interval.
std::string describe_speedup(const Record&);
/// The one sentence that the ratios of the table come to: how many times as fast as its vendor the fastest of the other
/// methods is, within its 95 % interval, or that this is too close to tell; or why there is no ratio. Empty while there
/// may still come one.
Lead live_verdict(const LiveSnapshot&, const Registry&, DeviceKind);
/// The unit of all times of a measurement, in its table and its plot: that of the longest median.
TimeUnit time_unit_of(const std::vector<LiveSeries>&);
/// Describes all methods: which drift, else how many are settled; clocks that changed; and which have no time, because
/// the processor is too busy. Empty before there is any of these.
std::string describe_standing(const LiveSnapshot&);

}  // namespace convscope::app
