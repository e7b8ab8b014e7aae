// Measuring: verify, warm up, sample the rivals in turn, stop when the noise is low enough, make records.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "kernels/core/registry.h"
#include "kernels/measure/record.h"

namespace convscope {

struct MeasureOptions {
    TimingScope scope = TimingScope::kernel;
    CacheMode cache = CacheMode::hot;
    int min_samples = 20;
    int max_samples = 10000;
    double max_noise_pct = 1.0;  ///< half the 95 % confidence interval of the median, in percent of it
    double timeout_s = 5.0;      ///< per method, sampling only
    bool stages = true;          ///< also take the median time of each stage, in a pass of its own
};

struct Candidate {
    std::string method;  ///< id
    LaunchConfig launch;
};

/// A snapshot of a measurement under way, for a plot. Cheap to copy.
struct Progress {
    std::string method;
    std::int64_t samples = 0;
    double last_us = 0, median_us = 0, q1_us = 0, q3_us = 0, noise_pct = 0;
    double fraction = 0;  ///< of the whole call, 0..1, an estimate
    std::string phase;    ///< "verifying", "warming up", "sampling"
};

struct MeasureSinks {
    std::function<void(const Record&)> record;      ///< as each row is finished, failures included
    std::function<void(const Progress&)> progress;  ///< after every sample; may be empty
};

/// Measures every candidate on one workload and one device, interleaving their samples (A B C A B C ...).
/// Never throws for a candidate that fails: its record says what happened. A stop request ends the sampling:
/// candidates with enough samples for a median keep them (status passed), the others are recorded as cancelled.
/// The rival for speedup_vs_vendor is the fastest passed vendor method of the same dtype in this call
/// ("cudnn" or "onednn" when present). Records are in the candidates' order.
std::vector<Record> measure(Registry&, Device&, const Workload&, const std::vector<Candidate>&, const MeasureOptions&,
                            const MeasureSinks&, std::stop_token);

/// Result of comparing y with the judge's.
struct Verification {
    bool ok = false;
    double max_rel_err = 0;  ///< see docs/measuring.md; NaN differences count as infinite
    double tolerance = 0;    ///< from the length of the sum and the arithmetic's rounding unit
    std::string reason;      ///< the first wrong element, when not ok
};
/// 'judge' and 'y' are (n, k, out_h, out_w). 'scale' is the judge of |x| and |w|: the sum of magnitudes behind
/// each element, which is what rounding errors are proportional to.
Verification verify(const Tensor& y, const Tensor& judge, const Tensor& scale, const ConvShape&, DType);

}  // namespace convscope
