// Memory overhead per method as Cho & Brand 2017, Fig. 4, plot it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/compare/compare_pages.h"

namespace convscope::app {
namespace {

using Least = std::map<std::pair<std::string, std::uint32_t>, std::pair<double, std::size_t>>;

/// The least workspace of each method on each layer, of the rows with the layer's largest batch.
Least least_workspace(const ComparePageInput& in) {
    Least least;
    in.shown.each([&](std::size_t row) {
        const double bytes = in.data.number(row, compare_columns().workspace);
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
    if (count > 0)
        result.findings.push_back(
            fmt::format("im2col needs {:.1f} times the memory of {} (geometric mean of {} of {} layers).",
                        std::exp(product / static_cast<double>(count)), who, count, layers));
}

}  // namespace

void memory_page(const ComparePageInput& in, CompareResult& result) {
    const Least least = least_workspace(in);
    const std::vector<std::string> layers = layers_in(in, in.shown);
    Plot plot;
    plot.x = {"layer", "", false, false, short_names(layers), {}};
    plot.y = {"workspace besides x, w and y", "B", false, true, {}, {}};
    plot.empty_hint = "No row says how much memory its method needed.";
    std::vector<std::string> methods = methods_in(in, in.shown);
    std::erase_if(methods, [&](const std::string& method) {
        return std::ranges::none_of(least,
                                    [&](const auto& one) { return one.first.first == method && one.second.first > 0; });
    });
    const double width = 0.8 / static_cast<double>(std::max<std::size_t>(1, methods.size()));
    for (std::size_t m = 0; m < methods.size(); ++m) {
        PlotSeries series = in.series(methods[m]);
        series.marks = PlotSeries::Marks::bars;
        series.bar_width = width * 0.92;
        for (std::size_t i = 0; i < layers.size(); ++i) {
            const auto code = static_cast<std::uint32_t>(std::ranges::find(in.data.layer_names, layers[i]) -
                                                         in.data.layer_names.begin());
            const auto at = least.find({methods[m], code});
            if (at == least.end() || !(at->second.first > 0)) continue;
            series.x.push_back(static_cast<double>(i) - 0.4 + width * (static_cast<double>(m) + 0.5));
            series.y.push_back(at->second.first);
            series.row.push_back(static_cast<PlotRow>(at->second.second));
        }
        plot.series.push_back(std::move(series));
    }
    plot.command = command_for(in.data, in.shown);
    say_saving(least, layers.size(), result);
    result.plots.push_back(std::move(plot));
}

}  // namespace convscope::app
