// The content of a page of the Compare view, made from the records and the user's settings, off the interface's thread.
#pragma once

#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "app/compare/compare_choice.h"
#include "app/compare/compare_data.h"
#include "app/compare/fixed_columns.h"
#include "kernels/records/compare.h"
#include "visualizers/explain/lead.h"
#include "visualizers/plots/plot.h"

namespace convscope::app {

struct CompareRequest {
    std::shared_ptr<const CompareData> data;
    CompareChoice choice;
    bool operator==(const CompareRequest&) const = default;
};

/// The same measurement in two files.
struct ComparedPair {
    std::uint32_t before, after;  ///< rows
    double ratio;                 ///< time after over time before: below 1 is faster
    double low, high;             ///< 99 %; both the ratio where a row does not say its noise
    Verdict verdict;              ///< improved, worse, tied or unclear, as 'convscope compare' has it
    std::string point = {};       ///< distinguishes it from pairs of the same method and layer: "zeros 85 %, batch 8"
};

/// The choices in the page's lists, and the current settings.
struct CompareLists {
    std::vector<std::string> scopes, layers, xs, ys, files;
    CompareChoice set;  ///< with what is automatic filled in
};

struct CompareResult {
    std::shared_ptr<const CompareData> data;
    RowSet shown;         ///< rows that the query lets through
    std::string problem;  ///< an error in the query; then all rows are shown
    CompareLists lists;
    std::vector<Lead> findings;                   ///< sentences about the result; the page leads with the first
    std::vector<Plot> plots;                      ///< the page's, from the top left
    std::vector<std::vector<FixedColumn>> fixed;  ///< by plot: what it holds at one value
    std::vector<ComparedPair> pairs;              ///< page 'files'
    std::vector<std::uint32_t> order;             ///< page 'table': rows
    std::vector<std::size_t> columns;             ///< page 'table': those whose cells differ
    std::string same;                             ///< page 'table': what all rows share, in words
};

/// Adds a plot with what it holds.
inline void add_plot(CompareResult& result, Plot plot, std::vector<FixedColumn> fixed) {
    result.plots.push_back(std::move(plot));
    result.fixed.push_back(std::move(fixed));
}

/// Null when stopped.
std::shared_ptr<CompareResult> make_compare_result(const CompareRequest&, const std::stop_token&);

}  // namespace convscope::app
