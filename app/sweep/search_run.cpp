#include "app/sweep/search_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/core/error.h"
#include "kernels/core/format_units.h"
#include "kernels/measure/run_stamp.h"
#include "kernels/measure/timing_summary.h"

namespace convscope {
namespace {

// The margin for the finals: times taken apart from each other may differ by this much through drift alone.
constexpr double final_margin = 1.03;
constexpr std::size_t max_finalists = 8;

std::vector<LaunchConfig> settable(const Method& method, const ConvShape& shape,
                                   const std::vector<LaunchConfig>& launches) {
    std::vector<LaunchConfig> own;
    for (const LaunchConfig& launch : launches) {
        LaunchConfig taken = take_settable(method, shape, launch).launch;
        if (std::find(own.begin(), own.end(), taken) == own.end()) own.push_back(std::move(taken));
    }
    return own;
}

}  // namespace

bool cannot_be_told_apart(const Record& a, const Record& b) {
    const auto ratio = ratio_interval(summarize(a.samples_us), summarize(b.samples_us));
    return !ratio || (ratio->first <= 1 && ratio->second >= 1);
}

SearchRun::SearchRun(const Registry& registry, PointMeasurer& measurer, SearchPlan plan,
                     std::vector<LaunchConfig> launches, DoneRows done)
    : registry_(registry),
      measurer_(measurer),
      plan_(plan),
      launches_(std::move(launches)),
      done_(std::move(done)),
      run_id_(make_run_id()) {}

std::vector<MethodSearch> SearchRun::run(const SweepPoint& point, const SearchSinks& sinks, SweepControl& control) {
    if (!point.impossible.empty()) throw Error(ErrorKind::usage, point.impossible);
    PointRequest request = point.request;
    request.options.run_id = run_id_;
    const DeviceKind kind = registry_.device(request.device).info().kind;
    std::vector<Candidate> baselines, searched;
    for (const Candidate& candidate : request.candidates)
        (registry_.get(candidate.method, kind).info().vendor ? baselines : searched).push_back(candidate);
    std::vector<MethodSearch> found;
    for (const Candidate& candidate : searched) {
        if (control.cancelled()) break;
        found.push_back(search_method(request, registry_.get(candidate.method, kind), baselines, sinks, control));
    }
    return found;
}

SearchSpace SearchRun::space_of(const Method& method, const PointRequest& request) const {
    const DeviceModel& model = registry_.device(request.device).info().model;
    const ConvShape& shape = request.spec.shape;
    if (launches_.empty()) return whole_launch_space(method, shape, model);
    return listed_launch_space(method, shape, model, settable(method, shape, launches_));
}

void SearchRun::keep_rejected(const PointRequest& request, const Method& method, const SearchSpace& space,
                              const SearchSinks& sinks) const {
    if (!sinks.record) return;
    for (const RejectedLaunch& rejected : space.rejected()) {
        const Record row =
            planned_record(registry_.device(request.device), method, request.spec, rejected.launch, request.options);
        if (!done_.has(row)) sinks.record(row);
    }
}

std::vector<Record> SearchRun::measure(const PointRequest& request, std::vector<Candidate> candidates,
                                       const SearchSinks& sinks, SweepControl& control) {
    PointRequest requested = request;
    requested.candidates = std::move(candidates);
    PointSinks point_sinks;
    point_sinks.measure.record = sinks.record;
    point_sinks.measure.progress = [&](const Progress& progress) {
        if (sinks.sample) sinks.sample(progress);
        control.wait_while_paused();
    };
    point_sinks.warning = sinks.warning;
    return measurer_.measure(requested, point_sinks, control.token());
}

MethodSearch SearchRun::search_method(const PointRequest& request, const Method& method,
                                      const std::vector<Candidate>& baselines, const SearchSinks& sinks,
                                      SweepControl& control) {
    MethodSearch result;
    result.method = method.info().id;
    if (const Support support = method.supports(request.spec.shape); !support) {
        result.trouble = support.reason;
        return result;
    }
    const SearchSpace space = space_of(method, request);
    result.space = space.size();
    result.rejected = space.rejected().size();
    keep_rejected(request, method, space, sinks);
    if (space.size() == 0) {
        result.trouble = fmt::format("none of {} can run; the first: {}", counted(result.rejected, "configuration"),
                                     space.rejected().front().reason);
        return result;
    }
    const std::size_t budget = search_budget(plan_, space.size());
    std::size_t done = 0;
    std::string first_reason;
    const auto time_or_reason = [&](const Record& row) {
        if (!is_timed(row) && first_reason.empty()) first_reason = row.status_reason;
        return is_timed(row) ? row.time_median_us : std::nullopt;
    };
    const auto time_of = [&](std::size_t i) -> std::optional<double> {
        if (sinks.progress) sinks.progress(result.method, done, budget);
        ++done;
        const Candidate candidate{result.method, space.point(i).launch};
        const Record planned =
            planned_record(registry_.device(request.device), method, request.spec, candidate.launch, request.options);
        if (const Record* there = done_.find(planned)) {
            if (sinks.there) sinks.there(*there);
            return time_or_reason(*there);
        }
        return time_or_reason(measure(request, {candidate}, sinks, control).front());
    };
    const SearchFound found = search(space, plan_, time_of, [&] { return control.cancelled(); });
    result.measured = found.measured.size();
    if (!found.best && result.measured > 0)
        result.trouble =
            fmt::format("none of {} configurations passed; the first: {}", found.measured.size(), first_reason);
    else if (found.best && !control.cancelled())
        hold_finals(request, method, space, found, baselines, sinks, control, result);
    return result;
}

void SearchRun::hold_finals(const PointRequest& request, const Method& method, const SearchSpace& space,
                            const SearchFound& found, const std::vector<Candidate>& baselines, const SearchSinks& sinks,
                            SweepControl& control, MethodSearch& result) {
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t i = 0; i < found.measured.size(); ++i)
        if (found.times_us[i]) order.emplace_back(*found.times_us[i], found.measured[i]);
    std::sort(order.begin(), order.end());
    std::vector<Candidate> finalists;
    for (const auto& [time_us, point] : order)
        if (time_us <= final_margin * order.front().first && finalists.size() < max_finalists)
            finalists.push_back({method.info().id, space.point(point).launch});
    finalists.insert(finalists.end(), baselines.begin(), baselines.end());
    std::vector<Record> rows = measure(request, std::move(finalists), sinks, control);
    std::erase_if(rows, [](const Record& row) { return !is_timed(row); });
    std::stable_sort(rows.begin(), rows.end(), [&](const Record& a, const Record& b) {
        const bool own_a = a.method == result.method, own_b = b.method == result.method;
        return own_a != own_b ? own_a : *a.time_median_us < *b.time_median_us;
    });
    if (rows.empty() || rows.front().method != result.method) {
        result.trouble = "the best configurations failed when they were measured again";
        return;
    }
    for (const Record& row : rows) result.tied.push_back(cannot_be_told_apart(rows.front(), row));
    result.tied.front() = true;
    result.finalists = std::move(rows);
}

}  // namespace convscope
