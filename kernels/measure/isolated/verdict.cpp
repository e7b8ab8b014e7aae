#include "kernels/measure/isolated/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "kernels/measure/isolated/separate_runs.h"
#include "kernels/measure/sample_counts.h"
#include "kernels/measure/statistics.h"

namespace convscope {
namespace {

using Answer = SpeedVerdict::Answer;

Answer answer_of(const std::pair<double, double>& interval, double tie_pct) {
    const double tie = 1 + tie_pct / 100;
    if (interval.first > 1 / tie && interval.second < tie) return Answer::same;
    if (interval.first > 1) return Answer::faster;
    return interval.second < 1 ? Answer::slower : Answer::unknown;
}

bool ends_it(const Record& row) {
    return row.status != Status::passed && row.status != Status::timeout && row.status != Status::cancelled;
}

/// Though some count: a longer run has more of them.
bool too_few_samples(const Record& row) {
    return row.status == Status::timeout && (row.samples > 0 || !is_too_busy(row));
}

}  // namespace

SpeedVerdict find_verdict(IsolatedMeasurer& measurer, const VerdictRequest& request, const PointSinks& sinks,
                          std::stop_token stop) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point begin = Clock::now();
    PointRequest point = request.point;
    std::mt19937_64 random(std::random_device{}());
    SpeedVerdict verdict;
    SortedSamples speedups;
    do {
        const std::vector<Record> rows = measure_apart(measurer, point, sinks, stop, random);
        point.options.stages = false;
        for (const Record& row : rows) {
            if (sinks.measure.record) sinks.measure.record(row);
            if (ends_it(row)) verdict.failed = row;
        }
        if (verdict.failed || stop.stop_requested()) break;
        if (std::ranges::any_of(rows, too_few_samples)) {
            point.options.timeout_s *= 2;
            continue;
        }
        if (!is_timed(rows[0]) || !is_timed(rows[1])) {
            ++verdict.without;
            continue;
        }
        speedups.add(*rows[1].time_median_us / *rows[0].time_median_us);
        verdict.runs = speedups.size();
        verdict.speedup = speedups.median();
        verdict.interval = speedups.median_interval_at_any_look(request.confidence);
        if (verdict.interval) verdict.answer = answer_of(*verdict.interval, request.tie_pct);
    } while (verdict.answer == Answer::unknown && !stop.stop_requested() &&
             std::chrono::duration<double>(Clock::now() - begin).count() < request.time_limit_s);
    return verdict;
}

std::string describe(const SpeedVerdict& verdict, const VerdictRequest& request) {
    const std::string &first = request.point.candidates[0].method, &second = request.point.candidates[1].method;
    if (verdict.failed)
        return fmt::format("cannot tell {} from {}: {} is {}: {}", first, second, verdict.failed->method,
                           to_string(verdict.failed->status), verdict.failed->status_reason);
    std::string numbers = fmt::format("after {} runs", verdict.runs);
    if (verdict.runs > 0) {
        std::string interval = "too few for an interval";
        if (verdict.interval)
            interval = fmt::format("{:g} %: {:.3f}x to {:.3f}x", 100 * request.confidence, verdict.interval->first,
                                   verdict.interval->second);
        // Where nothing before it says which of the two is faster, it does.
        const bool open = verdict.answer == Answer::unknown;
        numbers = fmt::format("{}{:.3f}x{} ({}), {}", open ? first + " is " : "", verdict.speedup,
                              open ? " as fast" : "", interval, numbers);
    }
    if (verdict.without > 0) numbers += fmt::format("; {} more were too busy: no sample counts", verdict.without);
    switch (verdict.answer) {
        case Answer::faster:
            return fmt::format("{} is faster than {}: {}", first, second, numbers);
        case Answer::slower:
            return fmt::format("{} is slower than {}: {}", first, second, numbers);
        case Answer::same:
            return fmt::format("{} and {} differ by less than {:g} %: {}", first, second, request.tie_pct, numbers);
        case Answer::unknown:
            break;
    }
    return fmt::format("cannot tell {} from {} within {:g} s: {}; --time-limit gives it longer", first, second,
                       request.time_limit_s, numbers);
}

}  // namespace convscope
