// The course of a measurement: every candidate is prepared, then all are sampled in turn.
#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "kernels/measure/baseline.h"
#include "kernels/measure/candidate_run.h"
#include "kernels/measure/clock_watch.h"
#include "kernels/measure/disturbance_watch.h"
#include "kernels/measure/measure.h"
#include "kernels/measure/run_stamp.h"
#include "kernels/measure/stopwatch.h"
#include "kernels/method/flops.h"

namespace convscope {
namespace {

// Preparing counts as this share of the whole in the progress shown.
constexpr double prepare_share = 0.2;
// A device that has had nothing to do for so long may have lowered its clocks.
constexpr double longest_idle_s = 0.5;

/// "; the data holds 2 NaN and 1 infinite values": a passed row says so as well.
std::string data_note(const Workload& workload) {
    if (workload.nan_count == 0 && workload.inf_count == 0) return {};
    return fmt::format("; the data holds {} NaN and {} infinite values", workload.nan_count, workload.inf_count);
}

/// The disturbances that are watched while sampling.
struct Watches {
    ClockWatch clock;
    ClockJumps jumps = {};
    SleepWatch sleep = SleepWatch();
    std::vector<std::size_t> at_last_look = {};  ///< samples of each candidate when the clock was last looked at
};

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

    void report(const MeasureSinks& sinks, std::size_t at, const char* phase, double fraction) const {
        if (!sinks.progress) return;
        Progress progress = runs[at].progress();
        progress.candidate = at;
        progress.phase = phase;
        progress.fraction = std::min(fraction, 1.0);  // a sum of shares may round to a little more
        sinks.progress(progress);
    }

    double sampled_fraction() const {
        double sum = 0;
        for (const CandidateRun& run : runs) sum += run.fraction();
        return prepare_share + (1 - prepare_share) * sum / static_cast<double>(runs.size());
    }

    /// Lets a candidate do something that may fail.
    template <class Work>
    void let(std::size_t at, const MeasureSinks& sinks, Work&& work) {
        const bool before = runs[at].alive();
        if (sinks.working && before) sinks.working(at);
        work(runs[at]);
        if (sinks.failed && before && !runs[at].alive()) sinks.failed(at);
    }

    /// One sample of every candidate that still takes part. False when there is nothing left to do.
    bool sample_each(const MeasureSinks& sinks, const std::stop_token& stop, Watches& watches) {
        const std::vector<std::size_t> pass = taken();
        const Stopwatch pass_time;
        const double spent = spent_s();
        bool sampled = false;
        for (std::size_t at = 0; at < runs.size(); ++at) {
            if (stop.stop_requested()) return false;
            if (!runs[at].sampling()) continue;
            let(at, sinks, [&](CandidateRun& run) { run.take_sample(sinks); });
            sampled = true;
            look_at_clock(watches);
            report(sinks, at, "sampling", sampled_fraction());
        }
        if (const auto slept = watches.sleep.look()) discard(pass, *slept);
        if (pass_time.seconds() - (spent_s() - spent) > longest_idle_s) discard(pass, "sampling was paused");
        return sampled;
    }

    /// Samples between two looks that saw different clocks belong to neither.
    void look_at_clock(Watches& watches) {
        const std::optional<double> sm_mhz = watches.clock.look();
        if (!sm_mhz) return;
        if (const auto jumped = watches.jumps.look(*sm_mhz)) discard(watches.at_last_look, *jumped);
        watches.at_last_look = taken();
    }

    double spent_s() const {
        double sum = 0;
        for (const CandidateRun& run : runs) sum += run.spent_s();
        return sum;
    }

    std::vector<std::size_t> taken() const {
        std::vector<std::size_t> counts;
        for (const CandidateRun& run : runs) counts.push_back(run.taken());
        return counts;
    }

    void discard(const std::vector<std::size_t>& from, const std::string& why) {
        for (std::size_t at = 0; at < from.size(); ++at) runs[at].discard_from(from[at], why);
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

void Measurement::prepare(const ReferenceResult& reference, const MeasureSinks& sinks, std::stop_token stop) {
    double done = 0;
    const double step = prepare_share / std::max<double>(1, static_cast<double>(impl_->runs.size()));
    for (std::size_t at = 0; at < impl_->runs.size(); ++at) {
        if (stop.stop_requested()) {
            impl_->runs[at].cancel();
            continue;
        }
        impl_->report(sinks, at, "verifying", done);
        impl_->let(at, sinks, [&](CandidateRun& run) { run.verify_against(reference, stop); });
        const bool counts = impl_->device.info().kind == DeviceKind::sim;
        impl_->report(sinks, at, counts ? "counting" : "warming up", done + step / 2);
        impl_->let(at, sinks, [&](CandidateRun& run) {
            if (counts) return run.count(stop);
            run.warm_up(reference);
            run.time_stages();
        });
        done += step;
    }
}

std::vector<Record> Measurement::sample(const MeasureSinks& sinks, std::stop_token stop) {
    for (CandidateRun& run : impl_->runs) run.begin_round();
    Watches watches{ClockWatch(impl_->device)};
    // A candidate whose own noise is low enough goes on taking its turn until the others are done as well (or its
    // time is up): a drift of the clocks then hits all alike.
    while (!impl_->all_satisfied() && impl_->sample_each(sinks, stop, watches)) {
    }
    std::vector<Record> records = impl_->finish(watches.clock.state());
    if (sinks.record) std::for_each(records.begin(), records.end(), sinks.record);
    return records;
}

std::vector<Record> measure(Registry& registry, Device& device, const Workload& workload,
                            const ReferenceResult& reference, const std::vector<Candidate>& candidates,
                            const MeasureOptions& options, const MeasureSinks& sinks, std::stop_token stop) {
    Measurement measurement(registry, device, workload, candidates, options);
    measurement.prepare(reference, sinks, stop);
    return measurement.sample(sinks, stop);
}

std::vector<Record> measure(Registry& registry, Device& device, const Workload& workload,
                            const std::vector<Candidate>& candidates, const MeasureOptions& options,
                            const MeasureSinks& sinks, std::stop_token stop) {
    return measure(registry, device, workload, reference_result(workload), candidates, options, sinks, stop);
}

}  // namespace convscope
