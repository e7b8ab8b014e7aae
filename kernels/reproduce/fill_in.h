// Text about measurements whose numbers are taken from the records: "{SERIES|TIMING|TAKE}" stands for one of them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "kernels/reproduce/figure_values.h"

namespace convscope {

/// Replaces each "{A|B|...}" by value({A, B, ...}). Throws Error(file) for a brace that is not closed.
std::string fill_in(const std::string& text, const std::function<std::string(const std::vector<std::string>&)>& value);

/// A number of a figure with its unit: {label of a series, timing, summary or "at POINT"}; "(not measured)" where the
/// records have none. Throws Error(file) that names what the figure does not have.
std::string placeholder_value(const std::vector<std::string>& parts, const PaperFigure&,
                              const std::function<PointRecords(const FigureTiming&)>& records);

}  // namespace convscope
