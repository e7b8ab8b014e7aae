// Computes a figure's values from the records of its points.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernels/records/record.h"
#include "kernels/reproduce/figure.h"

namespace convscope {

/// The records of one timing: one list for each point, in the order of PaperFigure::methods.
using PointRecords = std::vector<std::vector<Record>>;

/// The fastest record that passed with one of these methods; null where there is none.
const Record* fastest_of(const std::vector<std::string>& methods, const std::vector<Record>&);

/// The values of a series by point; empty where none of the methods on one of its sides passed.
std::vector<std::optional<double>> values_of(const PaperSeries&, const PaperFigure&, const PointRecords&);

/// Empty where no point has a value. FigureSummary::total is the ratio of the summed, weighted times for a speed-up,
/// and the weighted sum for anything else, over the points that have a value.
std::optional<double> summary_of(const PaperSeries&, FigureSummary, const PaperFigure&, const PointRecords&);

/// Spearman's rank correlation over the points where both have a value: 1 where the two always rise together, -1 where
/// one falls while the other rises. Empty where one of them never changes.
std::optional<double> rank_correlation(const std::vector<std::optional<double>>&,
                                       const std::vector<std::optional<double>>&);

/// 'few' digits for readers, 'all' for programs.
enum class Digits { few, all };
/// "1.97x", "34 %", "0.0971 s": the value with its unit. With all digits in the unit of its axis, times in us.
std::string figure_text(FigureValue, double value, Digits = Digits::few);
/// The label of an axis of such values.
struct AxisWords {
    const char *name = "", *unit = "";
    bool operator==(const AxisWords&) const = default;
};
AxisWords axis_words(FigureValue);

}  // namespace convscope
