// Memory overhead per method as Cho & Brand 2017, Fig. 4, plot it: the method's own arrays, and the library's workspace
// in a plot of its own.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/compare/compare_pages.h"

namespace convscope::app {
namespace {

using Least = std::map<std::pair<std::string, std::uint32_t>, std::pair<double, std::size_t>>;

/// The least of a column of bytes for each method on each layer.
Least smallest_of(const ComparePageInput& in, const RowSet& rows, std::size_t column) {
    Least least;
    rows.each([&](std::size_t row) {
        const double bytes = in.data.number(row, column);
        if (std::isnan(bytes) || !in.data.passed(row)) return;
        const auto [at, fresh] = least.try_emplace({in.method_of(row), in.data.layer[row]}, std::pair(bytes, row));
        if (!fresh && bytes < at->second.first) at->second = {bytes, row};
    });
    return least;
}

void say_saving(const Least& least, std::size_t layers, CompareResult& result) {
    double product = 0;
    std::size_t count = 0;
    std::string who;
    for (const auto& [key, value] : least) {
        if (!key.first.starts_with("mec")) continue;
        const auto im2col = least.find({"im2col", key.second});
        if (im2col == least.end() || !(value.first > 0)) continue;
        if (!who.empty() && who != key.first) continue;
        who = key.first;
        product += std::log(im2col->second.first / value.first);
        ++count;
    }
    if (count == 0) return;
    const std::string times = fmt::format("{:.1f} times", std::exp(product / static_cast<double>(count)));
    result.findings.push_back(
        {"im2col needs ", times,
         fmt::format(" the memory of {} (geometric mean of {} of {} layers).", who, count, layers)});
}

Plot bars_of(const ComparePageInput& in, const RowSet& rows, const Least& least) {
    const std::vector<std::string> layers = layers_in(in, rows);
    Plot plot;
    plot.x = {"layer", "", false, false, short_names(layers), {}};
    std::vector<std::string> methods = methods_in(in, rows);
    std::erase_if(methods, [&](const std::string& method) {
        return std::ranges::none_of(least,
                                    [&](const auto& one) { return one.first.first == method && one.second.first > 0; });
    });
    for (const std::string& method : methods) {
        PlotSeries series = in.series(method);
        series.marks = PlotSeries::Marks::bars;
        for (std::size_t i = 0; i < layers.size(); ++i) {
            const auto code = static_cast<std::uint32_t>(std::ranges::find(in.data.layer_names, layers[i]) -
                                                         in.data.layer_names.begin());
            const auto at = least.find({method, code});
            if (at == least.end() || !(at->second.first > 0)) continue;
            series.x.push_back(static_cast<double>(i));
            series.y.push_back(at->second.first);
            series.row.push_back(static_cast<PlotRow>(at->second.second));
        }
        plot.series.push_back(std::move(series));
    }
    set_side_by_side(plot);
    plot.command = command_for(in.data, rows);
    return plot;
}

/// Rows of schema version 1 have both in one column.
bool any_without_library_column(const ComparePageInput& in, const RowSet& rows) {
    bool any = false;
    rows.each([&](std::size_t row) {
        any |= std::isnan(in.data.number(row, compare_columns().library_workspace)) &&
               !std::isnan(in.data.number(row, compare_columns().workspace));
    });
    return any;
}

}  // namespace

void memory_page(const ComparePageInput& in, CompareResult& result) {
    // The timing scope does not change the allocations.
    FixedRows fixed = fix_columns(in, in.passed(), {"layer", "timing_scope", "cache_mode"});
    const Least own = smallest_of(in, fixed.rows, compare_columns().workspace);
    Plot plot = bars_of(in, fixed.rows, own);
    plot.y = {"workspace besides x, w and y", "B", false, true, {}, {}};
    plot.subtitle = "What each method allocates of its own, on every layer";
    plot.empty_hint = "No row says how much memory its method needed.";
    Plot of_libraries = bars_of(in, fixed.rows, smallest_of(in, fixed.rows, compare_columns().library_workspace));
    of_libraries.y = {"a library's own workspace", "B", false, true, {}, {}};
    of_libraries.subtitle = "A library's own workspace, on every layer";
    say_saving(own, layers_in(in, fixed.rows).size(), result);
    if (any_without_library_column(in, fixed.rows))
        result.findings.push_back(
            lead_of("Some rows were recorded before a library's workspace had a column of its own: their workspace "
                    "includes it.",
                    {}));
    add_plot(result, std::move(plot), fixed.columns);
    if (!of_libraries.series.empty()) add_plot(result, std::move(of_libraries), std::move(fixed.columns));
}

}  // namespace convscope::app
