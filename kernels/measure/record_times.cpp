#include "kernels/measure/record_times.h"

namespace convscope {

void set_times(Record& record, const SortedSamples& samples, std::optional<double> noise_pct) {
    const double median = samples.median();
    record.time_median_us = median;
    record.time_mean_us = samples.mean();
    record.time_min_us = samples.values().front();
    record.time_q1_us = samples.quantile(0.25);
    record.time_q3_us = samples.quantile(0.75);
    record.noise_pct = noise_pct;
    record.samples = static_cast<std::int64_t>(samples.size());
    if (!(median > 0)) return;
    record.gflops = record.flops_dense / median / 1e3;
    record.gb_per_s = static_cast<double>(record.shape.min_bytes()) / median / 1e3;
}

}  // namespace convscope
