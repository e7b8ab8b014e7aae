// What a live measurement has come to, in words.
#pragma once

#include <string>

#include "kernels/measure/worker.h"

namespace convscope::app {

/// "240 samples", or "40 960 samples, 1 in 4 kept".
std::string describe_samples(const SampleHistory&);
/// Why a method counts as settled, or does not yet; with its interval.
std::string describe_settled(const LiveSeries&, double requested_noise_pct);
/// Of all methods: which drift, else how many are settled; and clocks that changed. Empty before there is a time.
std::string describe_standing(const LiveSnapshot&);

}  // namespace convscope::app
