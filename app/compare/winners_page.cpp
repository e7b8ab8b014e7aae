// Finds the fastest method over two axes, and the point from which a method beats the vendor.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "app/compare/compare_pages.h"
#include "kernels/records/ratio_estimate.h"

namespace convscope::app {
namespace {

struct Contender {
    double time;
    std::size_t row;
};
struct Cell {
    std::map<std::string, Contender> times;  ///< by method, its fastest row
    std::set<std::string> failed;            ///< methods with a row, but without a time
};

/// Whether a cell's fastest method beats others there.
enum class Race { none, open, won };

PlotCell winner_of(const ComparePageInput& in, const Speedups& speedups, const Cell& cell, Race& race) {
    PlotCell shown;
    race = Race::none;
    if (cell.times.empty()) {
        shown.value = std::nan("");
        shown.text = cell.failed.empty() ? "not measured" : "no time";
        return shown;
    }
    std::vector<std::pair<std::string, Contender>> order(cell.times.begin(), cell.times.end());
    std::ranges::sort(order, {}, [](const auto& one) { return one.second.time; });
    const auto& [method, first] = order.front();
    const Speedup speedup = speedups.of(first.row);
    shown.value = speedup.value;
    shown.series = method;
    shown.row = static_cast<PlotRow>(first.row);
    shown.text =
        in.data.vendor(first.row) || !speedup.known() ? method : fmt::format("{} {:.1f}x", method, speedup.value);
    if (order.size() > 1) {
        const auto may_be_as_fast = [&, &first = first](const auto& other) {
            const std::size_t noise = compare_columns().noise;
            return !differs_from_one(other.second.time / first.time, in.data.known(first.row, noise),
                                     in.data.known(other.second.row, noise));
        };
        const auto equal = std::find_if(order.begin() + 1, order.end(), may_be_as_fast);
        race = equal == order.end() ? Race::won : Race::open;
        if (race == Race::open) shown.text = method + " or " + equal->first;
    }
    return shown;
}

/// Marks the cells in which a method that is the fastest of another cell was not measured: it might win there, too.
void mark_unmeasured(const std::vector<Cell>& cells, Plot& plot, std::vector<Race>& races) {
    std::set<std::string> winners;
    for (const PlotCell& cell : plot.cells->cells)
        if (!cell.series.empty()) winners.insert(cell.series);
    bool any = false;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        PlotCell& shown = plot.cells->cells[i];
        if (shown.series.empty()) continue;
        std::string without;
        for (const std::string& method : winners)
            if (!cells[i].times.contains(method) && !cells[i].failed.contains(method))
                without += (without.empty() ? "" : ", ") + method;
        if (without.empty()) continue;
        any = true;
        if (races[i] == Race::won) races[i] = Race::open;
        shown.text += " *";
        shown.note = "not measured here: " + without;
    }
    if (any) plot.subtitle += ". *: another winner was not measured there";
}

/// FP32 alone: less precise arithmetic is another race.
struct Contenders {
    RowSet rows;
    bool fp32;  ///< others were left out
};
Contenders contenders(const ComparePageInput& in) {
    const RowSet rows = in.passed();
    RowSet fp32(in.data.table.rows());
    rows.each([&](std::size_t row) {
        if (in.data.text(row, compare_columns().dtype) == "fp32") fp32.insert(row);
    });
    if (fp32.none() || fp32.count() == rows.count()) return {rows, false};
    return {fp32, true};
}

/// " at 80 to 90 % zeros": the names of an axis of zeros, or of their patterns, of which these are some.
std::string among(const std::string& column, const std::vector<std::string>& names, const std::set<std::size_t>& some) {
    const bool zeros = column == "sparsity_target" || column == "weight_sparsity_target";
    const bool pattern = column == "weight_pattern";
    if (!(zeros || pattern) || some.size() == names.size()) return {};
    const std::size_t first = *some.begin(), last = *some.rbegin();
    std::vector<std::string> words;
    for (const std::size_t each : some) words.push_back(names[each]);
    const std::string of_w = column.starts_with("weight") ? " in w" : "";
    if (pattern) return fmt::format(" with {} zeros{}", fmt::join(words, ", "), of_w);
    const bool range = last - first + 1 == some.size() && some.size() > 2;
    return fmt::format(
        " at {} % zeros{}",
        range ? fmt::format("{} to {}", names[first], names[last]) : fmt::format("{}", fmt::join(words, ", ")), of_w);
}

/// Which method wins most cells of the map beyond doubt, and where; then the others.
Lead winners_sentence(const ComparePageInput& in, const Plot& plot, const std::vector<Race>& races) {
    std::map<std::string, std::vector<std::size_t>> won;
    std::size_t raced = 0;
    for (std::size_t i = 0; i < races.size(); ++i) {
        raced += races[i] != Race::none;
        if (races[i] == Race::won) won[plot.cells->cells[i].series].push_back(i);
    }
    if (raced == 0) return {};
    const bool one_alone =
        std::ranges::count(races, Race::none) >
        std::ranges::count_if(plot.cells->cells, [](const auto& cell) { return cell.series.empty(); });
    const std::string all = (raced == 1 ? std::string("1 cell") : fmt::format("{} cells", raced)) +
                            (one_alone ? " with two methods or more" : "");
    if (won.empty()) return {"No method is the fastest beyond doubt in any of ", all, "."};
    std::vector<std::pair<std::string, std::vector<std::size_t>>> order(won.begin(), won.end());
    std::ranges::stable_sort(order, std::ranges::greater(), [](const auto& one) { return one.second.size(); });
    const auto& [best, cells] = order.front();
    std::set<std::size_t> at_x, at_y;
    for (const std::size_t cell : cells) {
        at_x.insert(cell % plot.x.names.size());
        at_y.insert(cell / plot.x.names.size());
    }
    std::string others;
    for (std::size_t i = 1; i < order.size(); ++i)
        others += fmt::format("{}{} in {}", i == 1 ? "; " : ", ", order[i].first, order[i].second.size());
    return {best + " is the fastest beyond doubt in ", fmt::format("{} of {}", cells.size(), all),
            among(in.set.map_x, plot.x.names, at_x) + among(in.set.map_y, plot.y.names, at_y) + others + "."};
}

Plot map_of_winners(const ComparePageInput& in, const RowSet& rows, bool fp32, const Speedups& speedups, Lead& lead) {
    Plot plot;
    const CompareAxis x = make_compare_axis(in, rows, in.set.map_x, true),
                      y = make_compare_axis(in, rows, in.set.map_y.empty() ? "layer" : in.set.map_y, true);
    plot.x = x.scale;
    plot.y = y.scale;
    plot.subtitle =
        fmt::format("The fastest method{}, and its speed-up over the vendor", fp32 ? " of those in FP32" : "");
    std::vector<Cell> cells(plot.x.names.size() * plot.y.names.size());
    rows.each([&](std::size_t row) {
        const double at_x = x.value(row), at_y = y.value(row);
        if (std::isnan(at_x) || std::isnan(at_y)) return;
        Cell& cell = cells[static_cast<std::size_t>(at_y) * plot.x.names.size() + static_cast<std::size_t>(at_x)];
        const Contender one{in.data.number(row, compare_columns().time), row};
        const auto [at, fresh] = cell.times.try_emplace(in.method_of(row), one);
        if (!fresh && one.time < at->second.time) at->second = one;
    });
    in.shown.each([&](std::size_t row) {
        if (in.data.passed(row)) return;
        const double at_x = x.value(row), at_y = y.value(row);
        const auto columns = static_cast<double>(plot.x.names.size());
        if (!(at_x < columns) || !(at_y < static_cast<double>(plot.y.names.size())))
            return;  // a layer or a value that no time is of
        cells[static_cast<std::size_t>(at_y) * plot.x.names.size() + static_cast<std::size_t>(at_x)].failed.insert(
            in.method_of(row));
    });
    plot.cells.emplace();
    plot.cells->value = {in.speedup_name(), "x", true, false, {}, {}};
    std::vector<Race> races(cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i)
        plot.cells->cells.push_back(winner_of(in, speedups, cells[i], races[i]));
    // With the methods side by side there is no race: how fast each is then gives the colour.
    const bool side_by_side = in.set.map_x == "method" || in.set.map_y == "method";
    if (side_by_side) {
        plot.subtitle = "Speed-up over the vendor";
        plot.cells->ratio = true;
        for (PlotCell& cell : plot.cells->cells) {
            cell.series.clear();
            const bool baseline = cell.row != no_row && speedups.of(cell.row).baseline;
            cell.text = baseline ? "baseline" : std::isfinite(cell.value) ? fmt::format("{:.2f}x", cell.value) : "";
        }
    } else {
        mark_unmeasured(cells, plot, races);
        lead = winners_sentence(in, plot, races);
        for (const std::string& method : methods_in(in, rows)) {
            const bool wins = std::ranges::any_of(plot.cells->cells, [&](const PlotCell& cell) {
                return cell.row != no_row && in.method_of(cell.row) == method;
            });
            if (!wins) continue;
            plot.series.push_back(in.series(method));  // for the legend
            plot.series.back().marks = PlotSeries::Marks::bars;
        }
    }
    plot.empty_hint = "No two columns of these rows vary.";
    plot.command = command_for(in.data, rows);
    return plot;
}

/// The x at which a speed-up rises from below 1 to above it; NaN where it does not. Time is interpolated linearly
/// between two points, as that of a method that skips zeros is linear.
double crossing(const std::vector<double>& x, const std::vector<double>& y) {
    for (std::size_t i = 0; i + 1 < x.size(); ++i)
        if (y[i] < 1 && y[i + 1] >= 1) return x[i] + (x[i + 1] - x[i]) * (1 / y[i] - 1) / (1 / y[i] - 1 / y[i + 1]);
    return std::nan("");
}

/// How often it passes 1, upwards or downwards.
std::size_t crossings(const std::vector<double>& y) {
    std::size_t count = 0;
    for (std::size_t i = 0; i + 1 < y.size(); ++i) count += (y[i] < 1) != (y[i + 1] < 1);
    return count;
}

std::string value_words(const std::string& column, double value) {
    return column.ends_with("sparsity_target") ? fmt::format("{:.3g} %", value) : fmt::format("{:.3g}", value);
}

void say_break_even(const ComparePageInput& in, const PlotSeries& series, CompareResult& result) {
    if (series.x.size() < 2) return;
    const std::string what = in.set.map_x == "sparsity_target"          ? "zeros"
                             : in.set.map_x == "weight_sparsity_target" ? "zeros in w"
                                                                        : in.set.map_x;
    const double at = crossing(series.x, series.y);
    if (crossings(series.y) > 1) {
        std::vector<std::string> places;
        for (std::size_t i = 0; i < series.x.size(); ++i)
            if (series.low[i] > 1) places.push_back(value_words(in.set.map_x, series.x[i]));
        if (places.empty()) return;
        result.findings.push_back(lead_of(
            fmt::format("{} beats the vendor on {} beyond doubt at {} {}, and not throughout: {} of {} points.",
                        series.name, in.set.layer, fmt::join(places, ", "), what, places.size(), series.x.size()),
            places.front()));
    } else if (!std::isnan(at)) {
        // The nearest places on both sides where the intervals leave no doubt, as sweep's break-even has it.
        double below = std::nan(""), above = std::nan("");
        for (std::size_t i = 0; i < series.x.size(); ++i) {
            if (series.x[i] <= at && series.high[i] < 1) below = series.x[i];
            if (series.x[i] >= at && series.low[i] > 1 && std::isnan(above)) above = series.x[i];
        }
        std::string interval;
        if (!std::isnan(below) && !std::isnan(above))
            interval = fmt::format(": slower beyond doubt up to {}, faster from {} on",
                                   value_words(in.set.map_x, below), value_words(in.set.map_x, above));
        const std::string place = value_words(in.set.map_x, at);
        result.findings.push_back(lead_of(
            fmt::format("{} overtakes the vendor on {} at {} {}{}.", series.name, in.set.layer, place, what, interval),
            place));
    } else if (std::ranges::all_of(series.y, [](double y) { return y < 1; })) {
        const std::string best = fmt::format("{:.2f}x", std::ranges::max(series.y));
        result.findings.push_back(
            {fmt::format("{} stays behind the vendor on {}: ", series.name, in.set.layer), best, " at best."});
    } else if (std::ranges::all_of(series.y, [](double y) { return y >= 1; })) {
        const std::string least = fmt::format("{:.2f}x", std::ranges::min(series.y));
        result.findings.push_back(
            {fmt::format("{} beats the vendor on {} everywhere: ", series.name, in.set.layer), least, " at least."});
    }
}

Plot break_even(const ComparePageInput& in, const RowSet& rows, const Speedups& speedups, CompareResult& result) {
    Plot plot;
    const CompareAxis x = make_compare_axis(in, rows, in.set.map_x);
    plot.x = x.scale;
    plot.y = {in.speedup_name(), "x", true, false, {}, {}};
    plot.subtitle = in.set.map_x == "layer" ? "Every layer" : "One layer";
    plot.reference = 1;
    plot.empty_hint = "This layer was measured at one point of this axis only.";
    const bool names = !x.scale.names.empty();
    // The fastest row of each method at each place.
    std::map<std::string, std::map<double, std::size_t>> lines;
    rows.each([&](std::size_t row) {
        const double at = x.value(row);
        if (std::isnan(at) || std::isnan(speedups.of(row).value)) return;
        const auto [known, fresh] = lines[in.method_of(row)].try_emplace(at, row);
        const double time = in.data.number(row, compare_columns().time);
        if (!fresh && time < in.data.number(known->second, compare_columns().time)) known->second = row;
    });
    for (const auto& [method, points] : lines) {
        if (in.is_vendors(method)) continue;
        PlotSeries series = in.series(method);
        for (const auto& [at, row] : points) {
            add_speedup(series, at, speedups.of(row), row);
        }
        if (names) series.marks = PlotSeries::Marks::dots;
        if (!names) say_break_even(in, series, result);
        plot.series.push_back(std::move(series));
    }
    return plot;
}

}  // namespace

void winners_page(const ComparePageInput& in, CompareResult& result) {
    const auto [rows, fp32] = contenders(in);
    const Speedups speedups(in);
    std::set<std::string> axes{in.set.map_x, in.set.map_y};
    if (std::ranges::any_of(axes, tells_layers_apart)) axes.insert("layer");
    FixedRows of_map = fix_columns(in, rows, axes), of_lines = fix_columns(in, rows, {in.set.map_x});
    Lead lead;
    Plot map = map_of_winners(in, of_map.rows, fp32, speedups, lead);
    Plot lines = break_even(in, of_lines.rows, speedups, result);
    // Findings with 'overtakes' come first, then those with 'beats', then the rest.
    std::ranges::stable_sort(result.findings, {}, [](const Lead& finding) {
        const std::string words = finding.text();
        return words.find("overtakes") != std::string::npos ? 0 : words.find("beats") != std::string::npos ? 1 : 2;
    });
    // The page leads with what its map shows.
    if (!lead.empty()) result.findings.insert(result.findings.begin(), std::move(lead));
    add_plot(result, std::move(map), std::move(of_map.columns));
    add_plot(result, std::move(lines), std::move(of_lines.columns));
}

}  // namespace convscope::app
