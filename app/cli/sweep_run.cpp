#include "app/cli/sweep_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "app/cli/axes.h"
#include "app/cli/interrupt.h"
#include "app/cli/request.h"
#include "app/cli/resume.h"
#include "app/cli/status_line.h"
#include "app/cli/table.h"
#include "kernels/core/error.h"
#include "kernels/measure/run_stamp.h"

namespace convscope::cli {
namespace {

struct Point {
    WorkloadSpec spec;
    Device* device = nullptr;
    std::vector<const Method*> methods;
    std::vector<Candidate> candidates;
    MeasureOptions options;
    std::string impossible;  ///< why the shape cannot be
};

bool same_data(const WorkloadSpec& a, const WorkloadSpec& b) {
    return a.shape == b.shape && a.source == b.source && a.sparsity == b.sparsity && a.seed == b.seed &&
           a.input_path == b.input_path && a.weights_path == b.weights_path && a.example_x == b.example_x &&
           a.example_w == b.example_w;
}

std::string impossible(const ConvShape& shape) {
    try {
        validate(shape);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

class Sweep {
public:
    Sweep(FlagValues flags, const SweepModes& modes)
        : modes_(modes), run_id_(make_run_id()), registry_(make_registry()) {
        if (modes.resume && !flags.has("--csv"))
            throw Error(ErrorKind::usage, "--resume needs --csv FILE to go on with");
        const std::vector<Axis> axes = find_axes(flags);
        for (const FlagValues& point : span_points(flags, axes)) points_.push_back(read_point(point));
        if (modes.resume) done_ = DoneRows(flags.get("--csv"));
        outputs_.emplace(flags);
    }

    int run() {
        for (at_ = 0; at_ < points_.size() && !interrupt_.requested(); ++at_) run_point(points_[at_]);
        line_.clear();
        if (skipped_ > 0) fmt::print(stderr, "convscope: {} rows were there already\n", skipped_);
        outputs_->finish();
        return interrupt_.requested() ? interrupted_status : outputs_->exit_status();
    }

private:
    using Clock = std::chrono::steady_clock;

    Point read_point(const FlagValues& flags) {
        Point point;
        point.spec = read_workload(flags);
        point.impossible = impossible(point.spec.shape);
        point.device = &read_device(*registry_, flags);
        point.methods = read_methods(*registry_, *point.device, flags.get_or("--methods", ""));
        point.options = read_timing(flags);
        point.options.run_id = run_id_;
        const LaunchConfig launch = read_launch(flags);
        if (point.impossible.empty()) {
            point.candidates = make_candidates(point.methods, point.spec.shape, launch);
        } else {
            for (const Method* method : point.methods) point.candidates.push_back({method->info().id, launch});
        }
        return point;
    }

    void announce() {
        std::string text = fmt::format("{}/{}", at_ + 1, points_.size());
        if (measured_points_ > 0) {
            const double spent = std::chrono::duration<double>(Clock::now() - begin_).count();
            const double each = spent / static_cast<double>(measured_points_);
            const double left = each * static_cast<double>(points_.size() - at_);
            text += left < 90 ? fmt::format(", {:.0f} s left", left) : fmt::format(", {:.0f} min left", left / 60);
        }
        line_.set_prefix(text);
        if (!line_.is_terminal()) fmt::print(stderr, "{}: {}\n", text, points_[at_].spec.name);
    }

    const Method& method_of(const Point& point, const Candidate& candidate) const {
        return registry_->get(candidate.method, point.device->info().kind);
    }
    Record planned(const Point& point, const Candidate& candidate, const WorkloadSpec& spec) const {
        return planned_record(*point.device, method_of(point, candidate), spec, candidate.launch, point.options);
    }
    Record refused(const Point& point, const Candidate& candidate) const {
        return refused_record(*point.device, method_of(point, candidate), point.spec, candidate.launch, point.options,
                              point.impossible);
    }

    /// Records that no method could run at this point.
    void refuse_all(const Point& point, Status status, const std::string& reason) {
        std::vector<Record> rows;
        for (const Candidate& candidate : point.candidates) {
            Record record =
                point.impossible.empty() ? planned(point, candidate, point.spec) : refused(point, candidate);
            record.status = status;
            record.status_reason = reason;
            record.timestamp_utc = utc_now();
            rows.push_back(std::move(record));
        }
        std::erase_if(rows, [&](const Record& record) { return skip(record); });
        for (const Record& record : rows) outputs_->add(record);
        print(rows);
    }

    bool skip(const Record& planned) {
        const bool there = done_.has(planned);
        skipped_ += there ? 1 : 0;
        return there;
    }

    /// The candidates whose rows are missing, and the rivals that those are compared with.
    std::vector<Candidate> missing(const Point& point, const WorkloadSpec& spec) {
        std::vector<Candidate> wanted;
        bool any = false;
        std::size_t there = 0;
        for (const Candidate& candidate : point.candidates) {
            const bool found = done_.has(planned(point, candidate, spec));
            any |= !found;
            there += found ? 1 : 0;
            if (!found || method_of(point, candidate).info().vendor) wanted.push_back(candidate);
        }
        if (!any) wanted.clear();
        skipped_ += any ? point.candidates.size() - wanted.size() : there;
        return wanted;
    }

    const Workload& workload_of(const Point& point) {
        if (!workload_ || !same_data(asked_, point.spec)) {
            judgement_.reset();
            workload_ = load_workload(point.spec);
            asked_ = point.spec;
        }
        workload_->spec.name = point.spec.name;
        return *workload_;
    }

    void run_point(const Point& point) {
        if (!point.impossible.empty()) return refuse_all(point, Status::invalid_config, point.impossible);
        try {
            measure_point(point);
        } catch (const OutOfMemory& error) {
            refuse_all(point, Status::out_of_memory, error.what());
        }
    }

    void measure_point(const Point& point) {
        // Files and examples have the sparsity that they have, so that their rows are known once they are read.
        const bool given_data = point.spec.source == Source::file || point.spec.source == Source::example;
        const WorkloadSpec spec = given_data && !done_.empty() ? workload_of(point).spec : point.spec;
        const std::vector<Candidate> candidates = missing(point, spec);
        if (candidates.empty()) return;
        announce();
        const Workload& workload = workload_of(point);
        line_.show("computing the judge's result");
        if (!judgement_) judgement_ = judge(workload);
        MeasureSinks sinks;
        sinks.record = [&](const Record& record) { outputs_->add(record); };
        sinks.progress = [&](const Progress& progress) { line_.show(progress); };
        print(measure(*registry_, *point.device, workload, *judgement_, candidates, point.options, sinks,
                      interrupt_.token()));
        ++measured_points_;
    }

    void print(const std::vector<Record>& rows) {
        if (modes_.quiet || rows.empty()) return;
        line_.clear();
        fmt::print("{}\n{}\n", heading_of(rows.front()), table_of(rows));
        std::fflush(stdout);
    }

    const SweepModes modes_;
    const Clock::time_point begin_ = Clock::now();
    const Interrupt interrupt_;
    const std::string run_id_;
    std::unique_ptr<Registry> registry_;
    std::vector<Point> points_;
    DoneRows done_;
    std::optional<Outputs> outputs_;
    StatusLine line_;
    std::optional<Workload> workload_;
    WorkloadSpec asked_;  // what workload_ was made from
    std::optional<Judgement> judgement_;
    std::size_t at_ = 0;  // of points_
    std::size_t skipped_ = 0, measured_points_ = 0;
};

}  // namespace

int run_sweep(FlagValues flags, const SweepModes& modes) {
    return Sweep(std::move(flags), modes).run();
}

}  // namespace convscope::cli
