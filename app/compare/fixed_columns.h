// The columns that a plot of the Compare view holds at one value, so that its points differ in nothing else: the chips
// over it.
#pragma once

#include <string>
#include <vector>

#include "app/compare/compare_choice.h"
#include "app/compare/compare_data.h"

namespace convscope::app {

struct FixedColumn {
    std::string column;               ///< "sparsity_target"
    std::string words;                ///< "zeros 95 %", "zeros by layer", "zeros: all 8"
    std::string meaning;              ///< one sentence
    std::string value;                ///< the cell that all rows of the plot have; empty where they have several
    std::vector<std::string> values;  ///< cells that it can be fixed at; fewer than two: there is nothing to choose
};

/// The columns that CompareChoice::fixed can name.
inline constexpr const char* fixable_columns[] = {
    "sparsity_target", "n", "cache_mode", "device_name", "source", "weight_sparsity_target", "weight_pattern", "seed"};

/// "95 %": a cell as its chip has it.
std::string fixed_value(const std::string& column, const std::string& cell);
/// By row: "zeros 95 %, batch 8", what these rows differ in besides method and layer.
std::vector<std::string> what_differs(const CompareData&, const std::vector<std::size_t>& rows);
/// Holds the plots at this cell; an empty one leaves it to the page.
void fix_at(CompareChoice&, const std::string& column, const std::string& cell);

}  // namespace convscope::app
