#include "app/sweep/sweep_run.h"

#include <algorithm>
#include <new>

#include "kernels/core/error.h"
#include "kernels/measure/run_stamp.h"

namespace convscope {

SweepRun::SweepRun(const Registry& registry, PointMeasurer& measurer, const SweepPlan& plan, DoneRows done,
                   UserSource* own)
    : registry_(registry),
      measurer_(measurer),
      plan_(plan),
      done_(std::move(done)),
      own_(own),
      run_id_(make_run_id(plan.shard().mark())) {
    progress_.total = plan.points().size();
}

void SweepRun::run(const SweepSinks& sinks, SweepControl& control) {
    sinks_ = &sinks;
    control_ = &control;
    begin_ = Clock::now();
    for (const SweepPoint& point : plan_.points()) {
        control.wait_while_paused();
        if (control.cancelled()) return;
        progress_.point = progress_.done;
        estimate_time_left();
        if (!own_) {
            run_point(point);
        } else if (const auto own_point = compile_in_turn(point)) {
            run_point(*own_point);
        }
        // A cancelled point is measured again by the next run, so it does not count as done.
        if (control.cancelled()) return;
        ++progress_.done;
    }
    progress_.seconds_left = 0;
    progress_.phase.clear();
    tell_progress();
}

void SweepRun::tell_progress() const {
    if (sinks_->progress) sinks_->progress(progress_);
}

void SweepRun::estimate_time_left() {
    if (measured_points_ == 0) return;
    const std::chrono::duration<double> spent = Clock::now() - begin_ - control_->waited();
    const double each = spent.count() / static_cast<double>(measured_points_);
    progress_.seconds_left = each * static_cast<double>(progress_.total - progress_.done);
}

/// The point with its own kernel for its layer: not before its turn comes, for a compiler takes its time.
SweepPoint SweepRun::compiled(const SweepPoint& planned) const {
    SweepPoint point = planned;
    PointRequest& request = point.request;
    if (point.impossible.empty() && !request.own.empty())
        request.own = {own_->made(request.spec, registry_.device(request.device).info(), point.own)};
    return point;
}

/// Nothing where the compiler was stopped.
std::optional<SweepPoint> SweepRun::compile_in_turn(const SweepPoint& planned) {
    progress_.phase = "compiling";
    tell_progress();
    try {
        return compiled(planned);
    } catch (const Error&) {
        if (!control_->cancelled()) throw;
        return std::nullopt;
    }
}

std::shared_ptr<const Method> SweepRun::method_of(const SweepPoint& point, const Candidate& candidate) const {
    const PointRequest& request = point.request;
    const DeviceKind kind = registry_.device(request.device).info().kind;
    if (!request.own.empty() && request.own.front().id == candidate.method)
        return make_user_method(request.own, request.spec.shape, kind);
    const Method& method = registry_.get(candidate.method, kind);
    return {std::shared_ptr<const Method>(), &method};
}

Record SweepRun::planned(const SweepPoint& point, const Candidate& candidate, const WorkloadSpec& spec) const {
    const Device& device = registry_.device(point.request.device);
    MeasureOptions options = point.request.options;
    options.run_id = run_id_;
    const auto method = method_of(point, candidate);
    if (point.impossible.empty()) return planned_record(device, *method, spec, candidate.launch, options);
    return rejected_record(device, *method, spec, candidate.launch, options, point.impossible);
}

void SweepRun::skip(const Record& there) {
    ++progress_.skipped;
    if (sinks_->there) sinks_->there(there);
}

/// Records that no method could run at this point.
void SweepRun::reject_all(const SweepPoint& point, Status status, const std::string& reason) {
    std::vector<Record> rows;
    for (const Candidate& candidate : point.request.candidates) {
        Record record = planned(point, candidate, point.request.spec);
        record.status = status;
        record.status_reason = reason;
        if (const Record* there = done_.find(record))
            skip(*there);
        else
            rows.push_back(std::move(record));
    }
    progress_.rows += rows.size();
    if (sinks_->record)
        for (const Record& record : rows) sinks_->record(progress_.point, record);
    if (sinks_->point_done && !rows.empty()) sinks_->point_done(progress_.point, rows);
}

/// The candidates whose rows are missing, and the baselines that those are compared with.
std::vector<Candidate> SweepRun::missing(const SweepPoint& point, const WorkloadSpec& spec) {
    if (done_.empty()) return point.request.candidates;
    std::vector<Candidate> wanted;
    std::vector<const Record*> there, there_of_vendor;
    for (const Candidate& candidate : point.request.candidates) {
        const Record* found = done_.find(planned(point, candidate, spec));
        const bool vendor = found && method_of(point, candidate)->info().vendor;
        if (found) (vendor ? there_of_vendor : there).push_back(found);
        if (!found || vendor) wanted.push_back(candidate);
    }
    for (const Record* row : there) skip(*row);
    if (wanted.size() > there_of_vendor.size()) return wanted;
    for (const Record* row : there_of_vendor) skip(*row);
    return {};
}

void SweepRun::each_planned(const std::function<void(Record)>& use) const {
    for (const SweepPoint& planned_point : plan_.points()) {
        const SweepPoint point = own_ ? compiled(planned_point) : planned_point;
        const WorkloadSpec& requested = point.request.spec;
        const WorkloadSpec spec = point.impossible.empty() ? measurer_.settled(requested) : requested;
        for (const Candidate& candidate : point.request.candidates) use(planned(point, candidate, spec));
    }
}

std::vector<Record> SweepRun::missing_rows() const {
    std::vector<Record> rows;
    each_planned([&](Record row) {
        if (!done_.has(row)) rows.push_back(std::move(row));
    });
    return rows;
}

std::vector<Record> SweepRun::rows_there() const {
    std::vector<Record> rows;
    if (done_.empty()) return rows;
    each_planned([&](const Record& row) {
        if (const Record* found = done_.find(row)) rows.push_back(*found);
    });
    return rows;
}

void SweepRun::run_point(const SweepPoint& point) {
    if (!point.impossible.empty()) return reject_all(point, Status::invalid_config, point.impossible);
    const auto rows_before = progress_.rows;
    const auto reject = [&](const std::string& reason) {
        if (progress_.rows > rows_before) throw;  // the receiver of the rows ran out of memory, not the measurement
        reject_all(point, Status::out_of_memory, reason);
    };
    try {
        measure_point(point);
    } catch (const OutOfMemory& error) {
        reject(error.what());
    } catch (const std::bad_alloc&) {
        reject("the host's memory ran out");
    }
}

PointSinks SweepRun::point_sinks() {
    PointSinks sinks;
    sinks.warning = sinks_->warning;
    sinks.phase = [this](const std::string& phase) {
        progress_.phase = phase;
        tell_progress();
    };
    sinks.measure.record = [this](const Record& record) {
        ++progress_.rows;
        if (sinks_->record) sinks_->record(progress_.point, record);
    };
    sinks.measure.progress = [this](const Progress& candidate) {
        progress_.phase.clear();
        progress_.candidate = candidate;
        tell_progress();
        // Another process that measures waits as well, as soon as nobody takes what it says.
        control_->wait_while_paused();
    };
    sinks.measure.before_sample = sinks_->before_sample;
    sinks.measure.after_sample = sinks_->after_sample;
    return sinks;
}

void SweepRun::measure_point(const SweepPoint& point) {
    // Files and examples have the sparsity that they have, so that their rows are known once they are read.
    const WorkloadSpec spec = done_.empty() ? point.request.spec : measurer_.settled(point.request.spec);
    PointRequest request = point.request;
    request.candidates = missing(point, spec);
    request.options.run_id = run_id_;
    if (request.candidates.empty()) return;
    progress_.candidate = {};
    progress_.phase = "preparing the data";
    tell_progress();
    const std::vector<Record> rows = measurer_.measure(request, point_sinks(), control_->token());
    ++measured_points_;
    if (sinks_->point_done) sinks_->point_done(progress_.point, rows);
}

}  // namespace convscope
