#include "kernels/measure/isolated/separate_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "kernels/core/format_units.h"
#include "kernels/measure/record_times.h"
#include "kernels/measure/sample_counts.h"
#include "kernels/measure/statistics.h"

namespace convscope {
namespace {

struct PooledRow {
    Record row;
    TimingSummary timing;
};

/// The row of all runs but those that were too busy; of the first one that did not pass, where there is one.
PooledRow pool(std::vector<Record> runs) {
    const auto busy = std::ranges::stable_partition(runs, std::not_fn(is_too_busy));
    if (busy.size() == runs.size()) return {runs.front(), {}};  // which says so
    const std::size_t left_out = busy.size();
    runs.erase(busy.begin(), busy.end());
    const auto failed = std::ranges::find_if(runs, [](const Record& run) { return run.status != Status::passed; });
    if (failed != runs.end()) return {*failed, {}};
    PooledRow pooled{runs.front(), {}};
    Record& row = pooled.row;
    std::vector<std::vector<double>> samples_us;
    SortedSamples clocks_mhz;
    for (const Record& run : runs) {
        samples_us.push_back(run.samples_us);
        if (row.vendor_method.empty()) row.vendor_method = run.vendor_method;  // too busy in the runs before
        if (run.sm_clock_mhz) clocks_mhz.add(*run.sm_clock_mhz);
        if (run.throttled) row.throttled = row.throttled.value_or(false) || *run.throttled;
        if (run.max_rel_err) row.max_rel_err = std::max(row.max_rel_err.value_or(0), *run.max_rel_err);
    }
    if (!clocks_mhz.empty()) row.sm_clock_mhz = clocks_mhz.median();
    pooled.timing = summarize_runs(samples_us);
    set_times(row, pooled.timing);
    row.timestamp_utc = runs.back().timestamp_utc;
    row.status_reason = fmt::format("{}, each in a process of its own", counted(runs.size(), "run"));
    if (left_out > 0) row.status_reason += fmt::format("; {} more, too busy, left out", counted(left_out, "run"));
    row.samples_us.clear();
    for (const std::vector<double>& run : samples_us)
        row.samples_us.insert(row.samples_us.end(), run.begin(), run.end());
    return pooled;
}

/// Over the baselines that the runs' rows name.
void set_speedups(std::vector<PooledRow>& rows) {
    for (PooledRow& own : rows) {
        const auto is_baseline = [&](const PooledRow& other) { return other.row.method == own.row.vendor_method; };
        const auto vendor = std::ranges::find_if(rows, is_baseline);
        if (vendor == rows.end() || vendor->timing.samples == 0 || own.timing.samples == 0) continue;
        own.row.speedup_vs_vendor = vendor->timing.median_us / own.timing.median_us;
        if (&*vendor != &own) own.row.speedup_interval = ratio_interval(vendor->timing, own.timing);
    }
}

}  // namespace

std::vector<Record> measure_apart(IsolatedMeasurer& measurer, const PointRequest& request, PointSinks sinks,
                                  std::stop_token stop, std::mt19937_64& random) {
    std::vector<std::size_t> order(request.candidates.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::shuffle(order, random);
    PointRequest shuffled = request;
    for (std::size_t i = 0; i < order.size(); ++i) shuffled.candidates[i] = request.candidates[order[i]];
    shuffled.options.runs = 1;
    sinks.measure.record = {};
    measurer.end_process();
    std::vector<Record> shuffled_rows = measurer.measure(shuffled, sinks, std::move(stop)), rows(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) rows[order[i]] = std::move(shuffled_rows[i]);
    return rows;
}

std::vector<Record> measure_in_runs(IsolatedMeasurer& measurer, const PointRequest& request, const PointSinks& sinks,
                                    std::stop_token stop) {
    const int runs = request.options.runs;
    PointRequest one = request;
    one.options.timeout_s /= runs;
    PointSinks of_one = sinks;
    int run = 0;
    of_one.measure.progress = [&](Progress progress) {
        progress.fraction = (run + progress.fraction) / runs;
        if (sinks.measure.progress) sinks.measure.progress(progress);
    };
    std::mt19937_64 random(std::random_device{}());
    std::vector<std::vector<Record>> rows(request.candidates.size());
    for (; run < runs && (run == 0 || !stop.stop_requested()); ++run) {
        const std::vector<Record> measured = measure_apart(measurer, one, of_one, stop, random);
        for (std::size_t i = 0; i < rows.size(); ++i) rows[i].push_back(measured[i]);
        if (std::ranges::none_of(measured, is_too_busy)) one.options.stages = false;  // each has its own by now
    }
    std::vector<PooledRow> all;
    for (std::vector<Record>& of_candidate : rows) all.push_back(pool(std::move(of_candidate)));
    set_speedups(all);
    std::vector<Record> whole;
    for (PooledRow& row : all) {
        if (sinks.measure.record) sinks.measure.record(row.row);
        whole.push_back(std::move(row.row));
    }
    return whole;
}

}  // namespace convscope
