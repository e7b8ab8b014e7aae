// The course of a measurement: every candidate is prepared, then all are sampled in turn.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <deque>

#include "kernels/measure/candidate_run.h"
#include "kernels/measure/clock_watch.h"
#include "kernels/measure/flops.h"
#include "kernels/measure/measure.h"
#include "kernels/measure/rival.h"
#include "kernels/measure/run_stamp.h"

namespace convscope {
namespace {

// Preparing counts as this share of the whole in the progress shown.
constexpr double prepare_share = 0.2;

/// "; the data holds 2 NaN and 1 infinite values": a passed row says so as well.
std::string data_note(const Workload& workload) {
    if (workload.nan_count == 0 && workload.inf_count == 0) return {};
    return fmt::format("; the data holds {} NaN and {} infinite values", workload.nan_count, workload.inf_count);
}

}  // namespace

struct Measurement::Impl {
    Device& device;
    const Workload& workload;
    MeasureOptions options;
    std::deque<CandidateRun> runs;  // a deque: a run holds references and does not move
    double effective = 0;

    Impl(Device& device_, const Workload& workload_, MeasureOptions options_)
        : device(device_), workload(workload_), options(std::move(options_)) {
        if (options.run_id.empty()) options.run_id = make_run_id();
    }

    void report(const MeasureSinks& sinks, const CandidateRun& run, const char* phase, double fraction) const {
        if (!sinks.progress) return;
        Progress progress = run.progress();
        progress.phase = phase;
        progress.fraction = std::min(fraction, 1.0);  // a sum of shares may round to a little more
        sinks.progress(progress);
    }

    double sampled_fraction() const {
        double sum = 0;
        for (const CandidateRun& run : runs) sum += run.fraction();
        return prepare_share + (1 - prepare_share) * sum / static_cast<double>(runs.size());
    }

    /// One sample of every candidate that still takes part. False when there is nothing left to do.
    bool sample_each(const MeasureSinks& sinks, const std::stop_token& stop, ClockWatch& clock) {
        bool sampled = false;
        for (CandidateRun& run : runs) {
            if (stop.stop_requested()) return false;
            if (!run.sampling()) continue;
            run.take_sample(sinks);
            sampled = true;
            clock.look();
            report(sinks, run, "sampling", sampled_fraction());
        }
        return sampled;
    }

    bool all_satisfied() const {
        return std::all_of(runs.begin(), runs.end(), [](const CandidateRun& run) { return run.satisfied(); });
    }

    std::vector<Record> finish(const ClockState& clock) const {
        std::vector<Record> records;
        const std::string timestamp = utc_now();
        for (const CandidateRun& run : runs) {
            Record& record = records.emplace_back(run.finish(!run.satisfied()));
            record.timestamp_utc = timestamp;
            record.flops_effective = effective;
            if (record.status != Status::passed) continue;
            record.status_reason += data_note(workload);
            if (!run.has_clock()) continue;
            record.sm_clock_mhz = clock.sm_mhz;
            record.throttled = clock.throttled;
        }
        add_speedups(runs, records);
        return records;
    }
};

Measurement::Measurement(Registry& registry, Device& device, const Workload& workload,
                         const std::vector<Candidate>& candidates, MeasureOptions options)
    : impl_(std::make_unique<Impl>(device, workload, std::move(options))) {
    for (const Candidate& candidate : candidates)
        impl_->runs.emplace_back(registry, device, workload, candidate, impl_->options);
    impl_->effective = flops_effective(workload);
}

Measurement::~Measurement() = default;

void Measurement::prepare(const Judgement& judgement, const MeasureSinks& sinks, std::stop_token stop) {
    double done = 0;
    const double step = prepare_share / std::max<double>(1, static_cast<double>(impl_->runs.size()));
    for (CandidateRun& run : impl_->runs) {
        if (stop.stop_requested()) {
            run.cancel();
            continue;
        }
        impl_->report(sinks, run, "verifying", done);
        run.verify_against(judgement);
        impl_->report(sinks, run, "warming up", done + step / 2);
        run.warm_up(judgement);
        run.time_stages();
        done += step;
    }
}

std::vector<Record> Measurement::sample(const MeasureSinks& sinks, std::stop_token stop) {
    for (CandidateRun& run : impl_->runs) run.begin_round();
    ClockWatch clock(impl_->device);
    // A candidate whose own noise is low enough goes on taking its turn until its rivals are done as well (or its
    // time is up): a drift of the clocks then hits all alike.
    while (!impl_->all_satisfied() && impl_->sample_each(sinks, stop, clock)) {
    }
    std::vector<Record> records = impl_->finish(clock.state());
    if (sinks.record) std::for_each(records.begin(), records.end(), sinks.record);
    return records;
}

std::vector<Record> measure(Registry& registry, Device& device, const Workload& workload, const Judgement& judgement,
                            const std::vector<Candidate>& candidates, const MeasureOptions& options,
                            const MeasureSinks& sinks, std::stop_token stop) {
    Measurement measurement(registry, device, workload, candidates, options);
    measurement.prepare(judgement, sinks, stop);
    return measurement.sample(sinks, stop);
}

std::vector<Record> measure(Registry& registry, Device& device, const Workload& workload,
                            const std::vector<Candidate>& candidates, const MeasureOptions& options,
                            const MeasureSinks& sinks, std::stop_token stop) {
    return measure(registry, device, workload, judge(workload), candidates, options, sinks, stop);
}

}  // namespace convscope
