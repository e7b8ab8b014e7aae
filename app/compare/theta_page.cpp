// The speed-up by Theta, as Xu 2019 have it in Fig. 11: Theta = Sparsity / Size, the sparsity in percent, the
// size the width of the map. Both are taken from the records: the sparsity that was measured, and times that were.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/compare/compare_pages.h"
#include "kernels/core/format_units.h"

namespace convscope::app {
namespace {

double theta_of(const ComparePageInput& in, std::size_t row) {
    static const std::size_t sparsity = table_column("sparsity_measured"), width = table_column("w");
    return 100 * in.data.number(row, sparsity) / in.data.number(row, width);
}

/// Ranks from 0; values that are equal share the mean of their places.
std::vector<double> ranks_of(const std::vector<double>& values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
    std::vector<double> ranks(values.size());
    for (std::size_t first = 0; first < order.size();) {
        std::size_t end = first;
        while (end < order.size() && values[order[end]] == values[order[first]]) ++end;
        for (std::size_t i = first; i < end; ++i) ranks[order[i]] = static_cast<double>(first + end - 1) / 2;
        first = end;
    }
    return ranks;
}

/// Our methods, each with what Theta its timed rows had and how fast they were.
struct Cloud {
    std::string method;
    PlotSeries series;
    double correlation = std::nan("");
};

std::vector<Cloud> clouds(const ComparePageInput& in, const RowSet& rows, const Speedups& speedups) {
    std::vector<Cloud> all;
    for (const std::string& method : methods_in(in, rows)) {
        if (in.is_vendors(method)) continue;
        Cloud cloud{method, in.series(method), {}};
        cloud.series.marks = PlotSeries::Marks::dots;
        rows.each([&](std::size_t row) {
            if (in.method_of(row) != method) return;
            const Speedup speedup = speedups.of(row);
            const double theta = theta_of(in, row);
            if (std::isnan(speedup.value) || !(theta > 0)) return;
            add_speedup(cloud.series, theta, speedup, row);
        });
        cloud.correlation = rank_correlation(cloud.series.x, cloud.series.y);
        if (!cloud.series.x.empty()) all.push_back(std::move(cloud));
    }
    return all;
}

/// Fig. 11 itself: the speed-up by layer. The layers stand in the order of their Theta, which is part of their names.
Plot by_layer(const ComparePageInput& in, const RowSet& common, const Speedups& speedups) {
    FastestRows fastest = fastest_rows(in, common);
    std::vector<std::pair<double, std::uint32_t>> order;
    for (const auto& [layer, methods] : fastest) order.emplace_back(theta_of(in, methods.begin()->second), layer);
    std::ranges::sort(order);
    Plot plot;
    std::vector<std::string> names;
    for (const auto& [theta, layer] : order) names.push_back(in.data.layer_names[layer]);
    names = short_names(names);
    for (std::size_t i = 0; i < names.size(); ++i) names[i] += " Theta\u00a0" + format_digits(order[i].first);
    plot.x = {"layer, by Theta", "", false, false, names, {}};
    plot.y = {"speed-up", "x", true, false, {}, {}};
    plot.subtitle = "Speed-up over the vendor by layer; Theta grows to the right";
    plot.reference = 1;
    plot.empty_hint =
        "No speed-up over a vendor's library is in these rows: measure ecr1 together with cudnn or onednn.";
    for (const std::string& method : methods_in(in, common)) {
        if (in.is_vendors(method)) continue;
        PlotSeries series = in.series(method);
        for (std::size_t i = 0; i < order.size(); ++i) {
            const auto& methods = fastest[order[i].second];
            const auto at = methods.find(method);
            if (at == methods.end()) continue;
            const Speedup speedup = speedups.of(at->second);
            if (std::isnan(speedup.value)) continue;
            add_speedup(series, static_cast<double>(i), speedup, at->second);
        }
        if (!series.x.empty()) plot.series.push_back(std::move(series));
    }
    if (plot.series.empty()) return plot;
    plot.command = command_for(in.data, common);
    return plot;
}

Plot over_theta(const ComparePageInput& in, const std::vector<Cloud>& all) {
    Plot plot;
    plot.x = {"Theta = 100 sparsity / width", "", true, false, {}, {}};
    plot.y = {in.speedup_name(), "x", true, false, {}, {}};
    plot.subtitle = "Every row by its Theta";
    plot.reference = 1;
    plot.empty_hint = "No row has both zeros and a speed-up over a vendor's library.";
    for (const Cloud& cloud : all) plot.series.push_back(cloud.series);
    return plot;
}

}  // namespace

double rank_correlation(const std::vector<double>& x, const std::vector<double>& y) {
    const std::vector<double> a = ranks_of(x), b = ranks_of(y);
    const double mean = (static_cast<double>(a.size()) - 1) / 2;
    double both = 0, of_a = 0, of_b = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        both += (a[i] - mean) * (b[i] - mean);
        of_a += (a[i] - mean) * (a[i] - mean);
        of_b += (b[i] - mean) * (b[i] - mean);
    }
    return a.size() < 3 || of_a == 0 || of_b == 0 ? std::nan("") : both / std::sqrt(of_a * of_b);
}

void theta_page(const ComparePageInput& in, CompareResult& result) {
    const Speedups speedups(in);
    FixedRows layers = fix_columns(in, in.passed(), {"layer"}),
              rows = fix_columns(in, in.passed(), {"layer", "sparsity_target"});
    const std::vector<Cloud> all = clouds(in, rows.rows, speedups);
    add_plot(result, by_layer(in, layers.rows, speedups), std::move(layers.columns));
    add_plot(result, over_theta(in, all), std::move(rows.columns));
    std::string correlations, first;
    for (const Cloud& cloud : all) {
        if (std::isnan(cloud.correlation)) continue;
        const std::string words = fmt::format("{} {:.2f}", cloud.method, cloud.correlation);
        if (correlations.empty()) first = words;
        correlations += (correlations.empty() ? "" : ", ") + words;
    }
    result.findings.push_back(
        correlations.empty()
            ? lead_of("Theta needs rows with zeros, of three sizes or sparsities at least, and a vendor's time.", {})
            : lead_of("Over every row the rank correlation of Theta and the speed-up (1: they always rise together): " +
                          correlations + ".",
                      first));
    result.findings.push_back(
        lead_of("Xu 2019, Fig. 11 has them rise together: deeper layers have smaller maps with more zeros.", {}));
}

}  // namespace convscope::app
