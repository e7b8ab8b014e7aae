#include "kernels/measure/baseline.h"

#include <optional>

#include "kernels/measure/timing_summary.h"

namespace convscope {
namespace {

std::optional<std::size_t> baseline_of(const std::deque<CandidateRun>& runs, const std::vector<Record>& records,
                                       DType dtype) {
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const MethodInfo& info = runs[i].info();
        if (!info.vendor || info.dtype != dtype || !is_timed(records[i])) continue;
        // The algorithm that a vendor calls its best goes before its single algorithms; among several (plain and
        // fused), the fastest counts.
        const bool counts_more = best && info.vendor_best != runs[*best].info().vendor_best;
        const bool faster = best && *records[i].time_median_us < *records[*best].time_median_us;
        if (!best || (counts_more ? info.vendor_best : faster)) best = i;
    }
    return best;
}

}  // namespace

std::vector<std::string> default_methods(const Registry& registry, DeviceKind kind) {
    std::vector<std::string> ids;
    for (const Method* method : registry.methods(kind)) {
        const MethodInfo& info = method->info();
        if (info.as_compiled) continue;
        if (info.vendor ? info.vendor_best : info.family != "reference") ids.push_back(info.id);
    }
    return ids;
}

void add_speedups(const std::deque<CandidateRun>& runs, std::vector<Record>& records) {
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (!is_timed(records[i])) continue;
        const auto baseline = baseline_of(runs, records, runs[i].info().dtype);
        if (!baseline) continue;
        records[i].vendor_method = records[*baseline].method;
        records[i].speedup_vs_vendor = *records[*baseline].time_median_us / *records[i].time_median_us;
        if (*baseline != i)
            records[i].speedup_interval =
                ratio_interval(summarize(records[*baseline].samples_us), summarize(records[i].samples_us));
    }
}

}  // namespace convscope
