// Comparisons of files for people, for tables and for programs.
#pragma once

#include <string>
#include <vector>

#include "kernels/records/compare.h"

namespace convscope::cli {

struct NamedComparison {
    std::string base, other;  ///< the files
    Comparison comparison;
};

/// To standard output the rows under a line of headings, what only one file has, and the summary: of each method and of
/// all.
void print_comparison(const ComparedRecords&, const NamedComparison&);

/// One line per row of every comparison (docs/cli.md, 'compare'); rows that one file has alone have no verdict
/// but only_in_base or only_in_other.
std::string comparison_csv(const ComparedRecords&, const std::vector<NamedComparison>&);
/// An array with an object for each comparison, its rows a line each.
std::string comparison_json(const ComparedRecords&, const std::vector<NamedComparison>&);

}  // namespace convscope::cli
