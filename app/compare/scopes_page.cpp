// The effect of the timing scope: the speed-up of every layer in the chosen scope, the same layer in all scopes, the
// parts of the time, and the share of conversion (Xu 2022, Fig. 14).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/compare/compare_pages.h"

namespace convscope::app {
namespace {

/// Layers in the order of the file, each with its methods' fastest rows.
struct Layers {
    std::vector<std::string> names;
    std::vector<std::map<std::string, std::size_t>> rows;
};

Layers layers_with_rows(const ComparePageInput& in, const RowSet& rows) {
    Layers layers;
    for (const auto& [layer, fastest] : fastest_rows(in, rows)) {
        layers.names.push_back(in.data.layer_names[layer]);
        layers.rows.push_back(fastest);
    }
    layers.names = short_names(layers.names);
    return layers;
}

Plot speedups_by_layer(const ComparePageInput& in, const RowSet& rows, const Speedups& speedups) {
    Plot plot;
    const Layers layers = layers_with_rows(in, rows);
    plot.x = {"layer", "", false, false, layers.names, {}};
    plot.y = {in.speedup_name(), "x", true, false, {}, {}};
    plot.subtitle = "Every layer";
    plot.reference = 1;
    plot.empty_hint =
        "No speed-up over a vendor's library is in these rows: measure them together with cudnn or onednn.";
    for (const std::string& method : methods_in(in, rows)) {
        if (in.is_baseline(method)) continue;
        PlotSeries series = in.series(method);
        series.marks = PlotSeries::Marks::dots;
        for (std::size_t i = 0; i < layers.rows.size(); ++i) {
            const auto at = layers.rows[i].find(method);
            if (at == layers.rows[i].end()) continue;
            const Speedup speedup = speedups.of(at->second);
            if (!speedup.known()) continue;
            add_speedup(series, static_cast<double>(i), speedup, at->second);
        }
        if (!series.x.empty()) plot.series.push_back(std::move(series));
    }
    plot.command = command_for(in.data, rows);
    return plot;
}

RowSet rows_of_scope(const ComparePageInput& in, const RowSet& all, const std::string& scope) {
    RowSet rows(in.data.table.rows());
    all.each([&](std::size_t row) {
        if (in.data.passed(row) && in.data.text(row, compare_columns().scope) == scope) rows.insert(row);
    });
    return rows;
}

Plot speedups_by_scope(const ComparePageInput& in, const RowSet& rows, const CompareLists& lists,
                       const Speedups& speedups) {
    Plot plot;
    plot.x = {"what is timed", "", false, false, lists.scopes, {}};
    plot.y = {in.speedup_name(), "x", true, false, {}, {}};
    plot.subtitle = "One layer in every scope";
    plot.reference = 1;
    plot.empty_hint = "These rows have no speed-up over a vendor.";
    std::map<std::string, PlotSeries> all;
    for (std::size_t i = 0; i < lists.scopes.size(); ++i) {
        FastestRows fastest = fastest_rows(in, rows_of_scope(in, rows, lists.scopes[i]));
        for (const auto& [method, row] : fastest[in.chosen_layer()]) {
            const Speedup speedup = speedups.of(row);
            if (in.is_baseline(method) || !speedup.known()) continue;
            PlotSeries& series = all.try_emplace(method, in.series(method)).first->second;
            add_speedup(series, static_cast<double>(i), speedup, row);
        }
    }
    for (auto& [method, series] : all) plot.series.push_back(std::move(series));
    return plot;
}

/// Stages and what each scope adds to the one before it, of every method on the chosen layer.
Plot stage_bars(const ComparePageInput& in, const RowSet& rows, const CompareLists& lists) {
    Plot plot;
    const CompareColumns& c = compare_columns();
    std::map<std::string, std::map<std::string, std::size_t>> by_scope;
    for (const std::string& scope : lists.scopes)
        by_scope[scope] = fastest_rows(in, rows_of_scope(in, rows, scope))[in.chosen_layer()];
    const auto& methods = by_scope[in.set.scope];
    for (const auto& [method, row] : methods) plot.x.names.push_back(method);
    plot.x.name = "method";
    plot.y = {"time", "us", false, true, {}, {}};
    plot.subtitle = fmt::format("Where the time goes, up to scope {}", in.set.scope);
    plot.empty_hint = "No method was timed on this layer in this scope.";
    constexpr const char* parts[] = {"convert", "multiply", "pool",       "rest of the kernels",
                                     "launch",  "copies",   "allocation", "set-up"};
    constexpr const char* added_by[] = {"", "", "", "", "launch", "copies", "alloc", "setup"};
    std::vector<double> top(methods.size());
    for (std::size_t part = 0; part < std::size(parts); ++part) {
        PlotSeries series;
        series.name = parts[part];
        const auto with = std::ranges::find(lists.scopes, added_by[part]);
        const bool skipped = with != lists.scopes.end() && with != lists.scopes.begin() &&
                             *(with - 1) != (part == 4 ? "kernel" : added_by[part - 1]);
        if (part >= 4 && skipped) series.name = fmt::format("all up to {}", parts[part]);
        series.color = static_cast<int>(part < 3 ? part : part - 1);
        series.part = true;
        series.neutral = part == 3;
        series.marks = PlotSeries::Marks::bars;
        series.bar_width = 0.6;
        std::size_t i = 0;
        for (const auto& [method, row] : methods) {
            double height = 0;
            const auto kernel = by_scope["kernel"].find(method);
            const std::size_t stages_of = kernel == by_scope["kernel"].end() ? row : kernel->second;
            const auto stage = [&](std::size_t column) {
                const double value = in.data.number(stages_of, column);
                return std::isnan(value) ? 0 : value;
            };
            const double stages = stage(c.convert) + stage(c.multiply) + stage(c.pool);
            const double total = in.data.number(row, c.time), kernels = in.data.number(stages_of, c.time);
            if (part == 0) height = stage(c.convert);
            if (part == 1) height = stage(c.multiply);
            if (part == 2) height = stage(c.pool);
            if (part == 3) height = kernels - stages;
            if (part >= 4) {
                const auto scope = std::ranges::find(lists.scopes, added_by[part]);
                const auto chosen = std::ranges::find(lists.scopes, in.set.scope);
                if (scope != lists.scopes.end() && scope != lists.scopes.begin() && scope <= chosen) {
                    const auto& to = by_scope[*scope];
                    const auto& from = by_scope[*(scope - 1)];
                    if (to.contains(method) && from.contains(method))
                        height = in.data.number(to.at(method), c.time) - in.data.number(from.at(method), c.time);
                }
            }
            height = std::clamp(height, 0.0, std::max(0.0, total - top[i]));
            if (height > 0) {
                series.x.push_back(static_cast<double>(i));
                series.base.push_back(top[i]);
                series.y.push_back(top[i] + height);
                series.row.push_back(static_cast<PlotRow>(row));
                top[i] += height;
            }
            ++i;
        }
        if (!series.x.empty()) plot.series.push_back(std::move(series));
    }
    return plot;
}

/// Xu 2022, Fig. 14: the conversion in percent of conversion, multiplication and pooling.
Plot conversion_shares(const ComparePageInput& in, const RowSet& rows) {
    Plot plot;
    const CompareColumns& c = compare_columns();
    const Layers layers = layers_with_rows(in, rows);
    plot.x = {"layer", "", false, false, layers.names, {}};
    plot.y = {"conversion, of the stages' time", "%", false, true, {}, {}};
    plot.subtitle = "What conversion costs (Xu 2022, Fig. 14)";
    plot.empty_hint = "No method in these rows converts its input.";
    for (const std::string& method : methods_in(in, rows)) {
        PlotSeries series = in.series(method);
        series.marks = PlotSeries::Marks::dots;
        for (std::size_t i = 0; i < layers.rows.size(); ++i) {
            const auto at = layers.rows[i].find(method);
            if (at == layers.rows[i].end()) continue;
            const double convert = in.data.number(at->second, c.convert);
            const double multiply = in.data.number(at->second, c.multiply), pool = in.data.number(at->second, c.pool);
            if (std::isnan(convert) || std::isnan(multiply)) continue;
            series.x.push_back(static_cast<double>(i));
            series.y.push_back(100 * convert / (convert + multiply + (std::isnan(pool) ? 0 : pool)));
            series.row.push_back(static_cast<PlotRow>(at->second));
        }
        if (!series.x.empty()) plot.series.push_back(std::move(series));
    }
    return plot;
}

/// "ecr3 on lenet-conv2, zeros 95 %: 17.3x of cudnn in setup, 0.61x in kernel."
void say_change(const Plot& by_scope, const std::vector<FixedColumn>& fixed, CompareResult& result) {
    const PlotSeries* most = nullptr;
    double change = 1;
    for (const PlotSeries& series : by_scope.series) {
        if (series.y.size() < 2) continue;
        const double ratio = series.y.back() / series.y.front();
        if (const double size = std::max(ratio, 1 / ratio); size > change) {
            change = size;
            most = &series;
        }
    }
    if (!most) return;
    const auto words = [&](std::size_t i) {
        return fmt::format("{:.2f}x{} in '{}'", most->y[i], i == 0 ? " as fast as the vendor" : "",
                           by_scope.x.names[static_cast<std::size_t>(most->x[i])]);
    };
    const std::string number = fmt::format("{:.2f}x", most->y.front());
    std::string of;  // the layer, and the zeros of its input
    for (const FixedColumn& each : fixed)
        if (each.column == "layer" || each.column == "sparsity_target") of += (of.empty() ? "" : ", ") + each.words;
    result.findings.push_back(
        lead_of(fmt::format("{} on {}: {}, {}.", most->name, of, words(0), words(most->y.size() - 1)), number));
}

}  // namespace

std::string most_changed_layer(const ComparePageInput& in, const std::vector<std::string>& scopes) {
    if (scopes.size() < 2) return {};
    const Speedups speedups(in);
    const FastestRows first = fastest_rows(in, rows_of_scope(in, in.shown, scopes.front()));
    FastestRows last = fastest_rows(in, rows_of_scope(in, in.shown, scopes.back()));
    std::string name;
    double most = 1;
    for (const auto& [layer, methods] : first)
        for (const auto& [method, row] : methods) {
            const auto after = last[layer].find(method);
            if (in.is_vendors(method) || after == last[layer].end()) continue;
            const double ratio = speedups.of(after->second).value / speedups.of(row).value;
            if (!(std::max(ratio, 1 / ratio) > most)) continue;
            most = std::max(ratio, 1 / ratio);
            name = in.data.layer_names[layer];
        }
    return name;
}

void scopes_page(const ComparePageInput& in, CompareResult& result) {
    const Speedups speedups(in);
    FixedRows layers = fix_columns(in, in.passed(), {"layer"}), scopes = fix_columns(in, in.passed(), {"timing_scope"});
    Plot by_scope = speedups_by_scope(in, scopes.rows, result.lists, speedups);
    Plot stages = stage_bars(in, scopes.rows, result.lists);
    say_change(by_scope, scopes.columns, result);
    add_plot(result, speedups_by_layer(in, layers.rows, speedups), layers.columns);
    add_plot(result, std::move(by_scope), scopes.columns);
    add_plot(result, std::move(stages), std::move(scopes.columns));
    add_plot(result, conversion_shares(in, layers.rows), std::move(layers.columns));
}

}  // namespace convscope::app
