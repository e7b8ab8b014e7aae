#include "kernels/measure/candidate_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>

#include "kernels/core/error.h"
#include "kernels/measure/quiet.h"
#include "kernels/measure/roofline.h"
#include "kernels/measure/run_counts.h"
#include "kernels/measure/stopwatch.h"
#include "kernels/method/restricts_weights.h"

namespace convscope {
namespace {

constexpr int warm_up_samples = 5;
constexpr const char* stopped_early = "stopped before it was sampled";
constexpr int stage_passes = 11;
// A method whose single run takes this share of its time budget gets no warm-up and no stage times: the verified
// run has warmed it up, and its samples are worth more.
constexpr double long_run_share = 0.2;

using StageTimes = std::vector<std::pair<std::string, double>>;

/// Each stage once: a method that works through x in several passes marks its stages in each of them.
StageTimes sums_by_name(const StageTimes& pieces) {
    StageTimes sums;
    for (const auto& [name, time_us] : pieces) {
        const auto same = std::find_if(sums.begin(), sums.end(), [&](auto& s) { return s.first == name; });
        if (same == sums.end())
            sums.emplace_back(name, time_us);
        else
            same->second += time_us;
    }
    return sums;
}

/// Whether eight times x stays within what the method computes with.
bool is_scalable(const Workload& workload, const ReferenceResult& reference, const Record& record,
                 Summation summation) {
    constexpr double factor = 8, in_transforms = 100;
    const bool half =
        record.arithmetic == to_string(Arithmetic::fp16) || record.arithmetic == to_string(Arithmetic::fp32_by_3xfp16);
    const double largest_number = half ? 65504 : std::numeric_limits<float>::max();
    double largest = reference.largest_scale;
    for (const float value : workload.x.data) largest = std::max<double>(largest, std::abs(value));
    if (summation != Summation::direct) largest *= in_transforms;
    return workload.nan_count + workload.inf_count == 0 && factor * largest < largest_number;
}

std::string megabytes(std::int64_t bytes) {
    return fmt::format("{:.1f} MB", 1e-6 * static_cast<double>(bytes));
}

}  // namespace

CandidateRun::CandidateRun(Registry& registry, Device& device, const Workload& workload, const Candidate& candidate,
                           const MeasureOptions& options)
    : device_(device),
      workload_(workload),
      method_(registry.get(candidate.method, device.info().kind)),
      launch_(candidate.launch),
      options_(options),
      record_(planned_record(device, method_, workload.spec, candidate.launch, options)),
      round_(options) {
    record_.sparsity_measured = workload.sparsity_measured;
    record_.weight_sparsity_measured = workload.weight_sparsity_measured;
    alive_ = record_.status == Status::passed;
    if (!alive_) return;
    if (const Support taken = takes_weights(method_, workload.w, candidate.launch); !taken)
        fail(Status::not_supported, taken.reason);
}

void CandidateRun::fail(Status status, std::string reason) {
    record_.status = status;
    record_.status_reason = std::move(reason);
    alive_ = false;
    recheck_.reset();
    sampler_.reset();
    execution_.reset();
}

void CandidateRun::cancel() {
    if (alive_) fail(Status::cancelled, stopped_early);
}

void CandidateRun::attempt(const char* doing, const std::function<void()>& action) {
    if (!alive_) return;
    try {
        action();
    } catch (const OutOfMemory& error) {
        fail(Status::out_of_memory, error.what());
    } catch (const std::bad_alloc&) {
        fail(Status::out_of_memory, fmt::format("{}: the host's memory ran out", doing));
    } catch (const Error& error) {
        fail(error.kind() == ErrorKind::usage   ? Status::invalid_config
             : error.kind() == ErrorKind::wrong ? Status::incorrect
                                                : Status::runtime_error,
             error.what());
    } catch (const std::exception& error) {
        fail(Status::runtime_error, fmt::format("{}: {}", doing, error.what()));
    }
}

void CandidateRun::reject_if_too_large() {
    const ConvShape& shape = workload_.spec.shape;
    const std::int64_t predicted = std::max<std::int64_t>(method_.workspace_bytes(shape), 0);
    const std::int64_t needed = shape.min_bytes() + predicted;
    const std::int64_t free = device_.free_memory_bytes();
    if (needed > free)
        throw OutOfMemory(fmt::format("{} needs {} ({} of workspace); {} has {} free next to the other methods",
                                      info().id, megabytes(needed), megabytes(predicted), device_.info().id,
                                      megabytes(free)));
}

void CandidateRun::bring_up(const std::stop_token& stop) {
    execution_ = method_.instantiate(workload_.spec.shape, launch_, device_);
    if (auto* simulated = dynamic_cast<CountedExecution*>(execution_.get())) simulated->set_stop(stop);
    execution_->setup();
    execution_->allocate();
    const Stopwatch staging;
    execution_->stage_inputs(workload_);
    look_s_ += staging.seconds();
    execution_->upload();
    const Stopwatch weights;
    execution_->prepare_weights();
    execution_->synchronize();
    record_.weights_us = 1e6 * weights.seconds();
    // A recheck uploads once more. The first time says little of that: ocpa4 then calibrates.
    const Stopwatch upload;
    execution_->upload();
    execution_->synchronize();
    look_s_ += upload.seconds();
}

void CandidateRun::note_launch() {
    record_.workspace_bytes = execution_->workspace_bytes();
    record_.library_workspace_bytes = execution_->library_workspace_bytes();
    record_.choice = execution_->choice();
    summation_ = summation_of(info(), *execution_);
    const ExecutedWork work = method_.executed(workload_, record_.choice);
    record_.arithmetic = to_string(work.arithmetic);
    record_.flops_executed = work.flops;
    const std::vector<KernelLaunch> kernels = execution_->launches();
    const std::size_t main = method_.resolve(workload_.spec.shape, launch_, device_.info().model).main;
    if (main >= kernels.size()) return;
    const KernelLaunch& kernel = kernels[main];
    record_.shared_bytes = static_cast<std::int64_t>(kernel.shared_bytes);
    if (kernel.registers > 0) record_.registers = kernel.registers;
    if (device_.info().model.sms > 0) record_.occupancy_pct = occupancy(device_.info().model, kernel).percent;
}

std::optional<std::string> CandidateRun::difference_from(const ReferenceResult& reference, const Tensor& y) {
    const Verification result = verify(y, reference.y, reference.scale, workload_.spec.shape, info().dtype, summation_,
                                       reference.largest_scale);
    record_.verified_against = "reference";
    record_.max_rel_err = std::max(record_.max_rel_err.value_or(0), result.max_rel_err);
    record_.tolerance = result.tolerance;
    return result.ok ? std::nullopt : std::optional(result.reason);
}

void CandidateRun::check_result(const ReferenceResult& reference) {
    execution_->download();
    if (const auto wrong = difference_from(reference, execution_->output())) fail(Status::incorrect, *wrong);
}

void CandidateRun::verify_against(const ReferenceResult& reference, const std::stop_token& stop) {
    attempt("verifying", [&] {
        reject_if_too_large();
        bring_up(stop);
        note_launch();
        execution_->poison_output();
        execution_->synchronize();
        const Stopwatch run;
        execution_->run();
        execution_->synchronize();
        verified_run_s_ = run.seconds();
        const Stopwatch check;
        check_result(reference);
        look_s_ += check.seconds();
    });
    // A run that was stopped says nothing about the method.
    if (record_.status == Status::runtime_error && stop.stop_requested()) fail(Status::cancelled, stopped_early);
}

void CandidateRun::count(const std::stop_token& stop) {
    counted_ = counted_reason;
    attempt("counting", [&] {
        try {
            const auto* counted = dynamic_cast<const CountedExecution*>(execution_.get());
            if (counted) counted_ += counted_on_ptx;
            add_counts(record_, counted ? counted->cost() : count_run(info().id, launch_, workload_, stop));
        } catch (const Error& error) {
            if (stop.stop_requested()) return cancel();
            const bool memory = dynamic_cast<const OutOfMemory*>(&error) != nullptr;
            if (error.kind() != ErrorKind::usage && !memory) throw;
            counted_ = fmt::format("simulated: verified, not timed and not counted: {}", error.what());
        }
    });
}

void CandidateRun::warm_up(const ReferenceResult& reference) {
    attempt("warming up", [&] {
        sampler_ = device_.make_sampler(*execution_, options_.scope, options_.cache);
        const double budget_s = long_run_share * options_.timeout_s;
        const bool is_long = verified_run_s_ > budget_s;
        const Stopwatch watch;
        int taken = 0;
        for (; !is_long && taken < warm_up_samples && watch.seconds() < budget_s; ++taken) sampler_->sample_us();
        look_s_ += is_long ? verified_run_s_ : watch.seconds() / taken;
        recheck_.emplace(device_, *execution_, *sampler_, workload_,
                         is_scalable(workload_, reference, record_, summation_), look_s_,
                         [&reference, this](const Tensor& y) { return difference_from(reference, y); });
        // The timed path must be right as well, a replayed graph for example. Wider scopes free the output.
        if (is_long || options_.scope > TimingScope::launch) return;
        execution_->poison_output();
        execution_->synchronize();
        sampler_->sample_us();
        check_result(reference);
    });
}

void CandidateRun::time_stages() {
    if (!options_.stages || !has_clock() || verified_run_s_ > long_run_share * options_.timeout_s) return;
    try {
        std::vector<std::pair<std::string, SortedSamples>> stages;
        const Stopwatch watch;
        for (int pass = 0; pass < stage_passes && watch.seconds() < long_run_share * options_.timeout_s; ++pass) {
            const auto timer = device_.make_stage_timer();
            execution_->run(timer.get());
            timer->stop();
            execution_->synchronize();
            const auto times_us = sums_by_name(timer->times_us());
            if (timer->lengthened()) continue;
            for (const auto& [name, time_us] : times_us) {
                auto same = std::find_if(stages.begin(), stages.end(), [&](auto& s) { return s.first == name; });
                if (same == stages.end()) same = stages.insert(stages.end(), {name, {}});
                same->second.add(time_us);
            }
        }
        std::vector<std::pair<std::string, double>> medians;
        for (const auto& [name, times] : stages) medians.emplace_back(name, times.median());
        set_stages(record_, medians);
    } catch (const std::exception&) {
        // Work that cannot be captured into a graph has no stage times, and can still be timed as a whole. After a
        // failure of the device the first sample fails as well, and says why.
    }
}

void CandidateRun::begin_round() {
    round_ = SamplingRound(options_);
}

void CandidateRun::take_sample(const MeasureSinks& sinks) {
    attempt("sampling", [&] {
        while (recheck_->due(options_.recheck_share, sampled_s_, options_.timeout_s)) {
            const auto wrong = recheck_->look(sinks);
            looked_s_ = recheck_->spent_s();
            if (wrong) return fail(Status::incorrect, *wrong);
            if (!recheck_->suspects()) break;
        }
        double time_us = 0, spent_s = 0;
        bool lengthened = false;
        {
            const Quiet quiet(sinks);
            const Stopwatch watch;
            time_us = sampler_->sample_us();
            lengthened = sampler_->lengthened();
            spent_s = watch.seconds();
        }
        sampled_s_ += spent_s;
        round_.add(time_us, spent_s, lengthened);
    });
}

void CandidateRun::discard_from(std::size_t first, const std::string& why) {
    if (alive_) round_.discard_from(first, why);
}

Progress CandidateRun::progress() const {
    Progress progress;
    progress.method = info().id;
    round_.describe(progress);
    return progress;
}

Record CandidateRun::finish(bool stopped) const {
    Record record = record_;
    if (!alive_) return record;
    if (!has_clock()) {
        record.status_reason = counted_;
        return record;
    }
    round_.finish(record, stopped, sampler_->note());
    if (record.status != Status::passed) return record;
    std::optional<std::string> why = recheck_->suspicion();
    const double floor = floor_us(record, device_.info().model);
    if (!why && *record.time_median_us < floor)
        why = fmt::format("its multiply-adds and its arrays take at least {:.4g} us on this device", floor);
    if (why) {
        record.status = Status::suspicious;
        record.status_reason = *why + "; " + record.status_reason;
    }
    return record;
}

}  // namespace convscope
