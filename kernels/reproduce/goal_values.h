// Computes a goal's values from the records of its figure's points.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "kernels/reproduce/figure.h"
#include "kernels/reproduce/figure_values.h"

namespace convscope {

/// A row of fast.csv: our methods against their baselines at one point. Empty where all of ours, or of theirs, did not
/// pass.
struct GoalRow {
    std::string target, row;
    std::string baseline;  ///< the fastest; all of them, joined by '|', where none passed
    std::optional<double> baseline_us;
    std::string ours;  ///< likewise
    std::optional<double> ours_us;
    std::optional<double> ratio;              ///< baseline_us / ours_us
    std::optional<double> roofline_fraction;  ///< least time that the datasheet's peaks allow / ours_us
    std::optional<double> max_rel_err;        ///< of ours, against the reference
};

/// One row per point of the figure, in order.
std::vector<GoalRow> goal_rows(const FigureGoal&, const PaperFigure&, const PointRecords&);

struct GoalOutcome {
    std::optional<double> value;  ///< over the points that have one
    std::size_t points = 0, measured = 0;
    bool reached = false;  ///< by every point together, and no point is missing
};
GoalOutcome outcome_of(const FigureGoal&, const PaperFigure&, const PointRecords&);

/// "5.2x", "52000 GFLOP/s", "61 %".
std::string goal_text(GoalValue, double);

std::string goal_csv_header();             ///< without the line end
std::string goal_csv_row(const GoalRow&);  ///< RFC 4180, without the line end

}  // namespace convscope
