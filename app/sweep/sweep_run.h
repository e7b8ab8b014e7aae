// The course of a sweep: point after point, on the caller's thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "app/sweep/done_rows.h"
#include "app/sweep/sweep_control.h"
#include "app/sweep/sweep_plan.h"

namespace convscope {

struct SweepProgress {
    std::size_t point = 0;               ///< the one under way, of the plan's
    std::size_t done = 0, total = 0;     ///< points
    std::size_t rows = 0, skipped = 0;   ///< measured by this run, and there from an earlier one
    std::optional<double> seconds_left;  ///< an estimate, once a point was measured; pauses are not counted
    std::string phase;                   ///< "computing the reference result"; empty while candidates are measured
    Progress candidate;                  ///< of the one under way
};

/// All are called on the sweep's thread, and any may be empty.
struct SweepSinks {
    std::function<void(std::size_t point, const Record&)> record;  ///< each row, before the next point begins
    std::function<void(const Record&)> there;  ///< each row that an earlier run has left and this one does not measure
    std::function<void(std::size_t point, std::span<const Record>)> point_done;
    std::function<void(const SweepProgress&)> progress;  ///< at every point and after every sample
    std::function<void(const std::string&)> warning;     ///< a sentence that the user should know
    std::function<void()> before_sample, after_sample;   ///< round each timed sample
};

class SweepRun {
public:
    /// Rows in 'done' are not measured again; where a point is incomplete, its vendor's methods are, because a ratio
    /// needs samples taken in turn. All arguments outlive the object.
    /// 'own' is the plan's; an error that it throws for a point ends the sweep.
    SweepRun(const Registry&, PointMeasurer&, const SweepPlan&, DoneRows done = {}, UserSource* own = nullptr);

    /// Returns when the last point is done, or soon after control.cancel(). Never throws for a point that fails: its
    /// rows say what happened. An exception of a sink ends the sweep.
    void run(const SweepSinks&, SweepControl&);

    const SweepProgress& progress() const { return progress_; }

    /// The rows that 'done' lacks, as far as they are known before measuring. Reads files and examples.
    std::vector<Record> missing_rows() const;
    /// The rows of the plan that 'done' has.
    std::vector<Record> rows_there() const;

private:
    using Clock = std::chrono::steady_clock;

    SweepPoint compiled(const SweepPoint&) const;
    std::optional<SweepPoint> compile_in_turn(const SweepPoint&);
    void run_point(const SweepPoint&);
    void measure_point(const SweepPoint&);
    void reject_all(const SweepPoint&, Status, const std::string& reason);
    void skip(const Record& there);
    std::vector<Candidate> missing(const SweepPoint&, const WorkloadSpec&);
    PointSinks point_sinks();
    void estimate_time_left();
    void tell_progress() const;
    std::shared_ptr<const Method> method_of(const SweepPoint&, const Candidate&) const;
    void each_planned(const std::function<void(Record)>&) const;
    Record planned(const SweepPoint&, const Candidate&, const WorkloadSpec&) const;

    const Registry& registry_;
    PointMeasurer& measurer_;
    const SweepPlan& plan_;
    const DoneRows done_;
    UserSource* const own_;
    const std::string run_id_;
    const SweepSinks* sinks_ = nullptr;
    SweepControl* control_ = nullptr;
    SweepProgress progress_;
    Clock::time_point begin_;
    std::size_t measured_points_ = 0;
};

}  // namespace convscope
