#include "kernels/measure/record_times.h"

#include "kernels/measure/roofline.h"

namespace convscope {

void set_times(Record& record, const TimingSummary& timing) {
    const double median = timing.median_us;
    record.time_median_us = median;
    record.time_mean_us = timing.mean_us;
    record.time_min_us = timing.min_us;
    record.time_q1_us = timing.q1_us;
    record.time_q3_us = timing.q3_us;
    record.noise_pct = timing.noise_pct();
    record.samples = static_cast<std::int64_t>(timing.samples);
    record.noise_from = timing.runs > 1 ? "runs" : "samples";
    if (!(median > 0)) return;
    record.gflops = record.flops_dense / median / 1e3;
    record.gb_per_s = needed_bytes(record) / median / 1e3;
}

void clear_times(Record& record) {
    for (auto time :
         {&Record::time_median_us, &Record::time_mean_us, &Record::time_min_us, &Record::time_q1_us,
          &Record::time_q3_us, &Record::noise_pct, &Record::gflops, &Record::gb_per_s, &Record::speedup_vs_vendor})
        (record.*time).reset();
    record.speedup_interval.reset();
    record.samples_us.clear();
    record.samples = 0;
    record.noise_from.clear();
}

}  // namespace convscope
