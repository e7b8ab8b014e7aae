#include "kernels/reproduce/goal_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernels/measure/roofline.h"
#include "kernels/records/cell.h"
#include "kernels/records/csv_text.h"

namespace convscope {
namespace {

std::string joined(const std::vector<std::string>& names) {
    return fmt::format("{}", fmt::join(names, "|"));
}

/// The point of the same layer with the fewest zeros, where none has more zeros than this one; nothing elsewhere.
std::optional<std::size_t> fewest_zeros(const PaperFigure& figure, std::size_t at) {
    const WorkloadSpec& spec = figure.points[at].spec;
    std::optional<std::size_t> fewest;
    for (std::size_t i = 0; i < figure.points.size(); ++i) {
        const WorkloadSpec& other = figure.points[i].spec;
        if (other.shape != spec.shape || other.source != spec.source) continue;
        if (other.sparsity > spec.sparsity) return std::nullopt;
        if (other.sparsity < figure.points[fewest.value_or(at)].spec.sparsity) fewest = i;
    }
    return fewest;
}

/// Whether the goal is about this point.
bool is_about(const FigureGoal& goal, const PaperFigure& figure, std::size_t at) {
    return goal.value != GoalValue::fall || fewest_zeros(figure, at);
}

/// The record that ours is compared with at this point; null where it did not pass.
const Record* baseline_at(const FigureGoal& goal, const PaperFigure& figure, const PointRecords& points,
                          std::size_t at) {
    if (goal.value != GoalValue::fall) return fastest_of(goal.baselines, points[at]);
    const Record* ours = fastest_of(goal.of, points[at]);
    return ours ? fastest_of({ours->method}, points[*fewest_zeros(figure, at)]) : nullptr;
}

/// The two times that a ratio is of; both or neither.
struct Pair {
    double baseline_us, ours_us;
};
std::optional<Pair> pair_at(const FigureGoal& goal, const PaperFigure& figure, const PointRecords& points,
                            std::size_t at) {
    const Record* ours = fastest_of(goal.of, points[at]);
    const Record* baseline = baseline_at(goal, figure, points, at);
    if (!ours || !baseline) return std::nullopt;
    return Pair{*baseline->time_median_us, *ours->time_median_us};
}

std::optional<double> value_at(const FigureGoal& goal, const PaperFigure& figure, const PointRecords& points,
                               std::size_t at) {
    const Record* ours = fastest_of(goal.of, points[at]);
    if (!ours) return std::nullopt;
    switch (goal.value) {
        case GoalValue::ratio:
        case GoalValue::fall: {
            const auto pair = pair_at(goal, figure, points, at);
            return pair ? std::optional(pair->baseline_us / pair->ours_us) : std::nullopt;
        }
        case GoalValue::gflops:
            return ours->gflops;
        case GoalValue::roofline_pct: {
            const auto least = roofline_us(*ours);
            return least ? std::optional(100 * *least / *ours->time_median_us) : std::nullopt;
        }
    }
    return std::nullopt;
}

/// Combines the points' values; there is at least one.
double summary(FigureSummary take, const std::vector<double>& values) {
    double sum = 0, logs = 0;
    for (const double value : values) {
        sum += value;
        logs += std::log(value);
    }
    const auto count = static_cast<double>(values.size());
    switch (take) {
        case FigureSummary::mean:
            return sum / count;
        case FigureSummary::geometric_mean:
            return std::exp(logs / count);
        case FigureSummary::largest:
            return *std::ranges::max_element(values);
        case FigureSummary::smallest:
            return *std::ranges::min_element(values);
        case FigureSummary::last:
            return values.back();
        case FigureSummary::total:
            return sum;
    }
    return sum;
}

double ratio_of_totals(const FigureGoal& goal, const PaperFigure& figure, const PointRecords& points) {
    double baseline = 0, ours = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const auto pair = pair_at(goal, figure, points, i);
        if (!pair) continue;
        const auto weight = static_cast<double>(figure.points[i].weight);
        baseline += weight * pair->baseline_us;
        ours += weight * pair->ours_us;
    }
    return baseline / ours;
}

}  // namespace

std::vector<GoalRow> goal_rows(const FigureGoal& goal, const PaperFigure& figure, const PointRecords& points) {
    std::vector<GoalRow> rows;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (!is_about(goal, figure, i)) continue;
        GoalRow row;
        row.target = goal.target;
        row.row = figure.points[i].label;
        row.baseline = joined(goal.baselines);
        row.ours = joined(goal.of);
        if (const Record* baseline = baseline_at(goal, figure, points, i)) {
            row.baseline = baseline->method;
            row.baseline_us = baseline->time_median_us;
        }
        if (const Record* ours = fastest_of(goal.of, points[i])) {
            row.ours = ours->method;
            row.ours_us = ours->time_median_us;
            row.max_rel_err = ours->max_rel_err;
            if (const auto least = roofline_us(*ours)) row.roofline_fraction = *least / *ours->time_median_us;
        }
        if (row.baseline_us && row.ours_us) row.ratio = *row.baseline_us / *row.ours_us;
        rows.push_back(std::move(row));
    }
    return rows;
}

GoalOutcome outcome_of(const FigureGoal& goal, const PaperFigure& figure, const PointRecords& points) {
    GoalOutcome outcome;
    std::vector<double> values;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (!is_about(goal, figure, i)) continue;
        ++outcome.points;
        if (const auto value = value_at(goal, figure, points, i)) values.push_back(*value);
    }
    outcome.measured = values.size();
    if (values.empty()) return outcome;
    outcome.value =
        goal.take == FigureSummary::total ? ratio_of_totals(goal, figure, points) : summary(goal.take, values);
    outcome.reached = outcome.measured == outcome.points && *outcome.value >= goal.at_least;
    return outcome;
}

std::string goal_text(GoalValue kind, double value) {
    switch (kind) {
        case GoalValue::ratio:
        case GoalValue::fall:
            return figure_text(FigureValue::speedup, value);
        case GoalValue::gflops:
            return figure_text(FigureValue::gflops, value);
        case GoalValue::roofline_pct:
            return figure_text(FigureValue::roofline_pct, value);
    }
    return {};
}

std::string goal_csv_header() {
    return "target,row,baseline,baseline_us,ours,ours_us,ratio,roofline_fraction,max_rel_err";
}

std::string goal_csv_row(const GoalRow& row) {
    using cell::print;
    return csv_line({row.target, row.row, row.baseline, print(row.baseline_us), row.ours, print(row.ours_us),
                     print(row.ratio), print(row.roofline_fraction), print(row.max_rel_err)});
}

}  // namespace convscope
