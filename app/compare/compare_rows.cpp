#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/compare/compare_pages.h"
#include "app/compare/method_colours.h"
#include "kernels/records/row_query.h"

namespace convscope::app {

PlotSeries ComparePageInput::series(const std::string& method) const {
    PlotSeries series;
    series.name = method;
    series.color = colour_of(method);
    series.vendor = is_baseline(method);
    series.neutral = !series.vendor && is_vendors(method);
    series.shape = mark_of(method);
    return series;
}

std::string ComparePageInput::speedup_name() const {
    bool fp32 = true;
    passed().each([&](std::size_t row) {
        fp32 = fp32 && (data.vendor(row) || data.text(row, compare_columns().dtype) == "fp32");
    });
    return fmt::format("speed-up over the vendor, {}", fp32 ? "FP32" : "same precision");
}

std::uint32_t ComparePageInput::chosen_layer() const {
    return static_cast<std::uint32_t>(std::ranges::find(data.layer_names, set.layer) - data.layer_names.begin());
}

RowSet ComparePageInput::passed() const {
    RowSet rows(data.table.rows());
    shown.each([&](std::size_t row) {
        if (data.passed(row)) rows.insert(row);
    });
    return rows;
}

RowSet ComparePageInput::timed() const {
    RowSet rows(data.table.rows());
    shown.each([&](std::size_t row) {
        if (data.passed(row) && data.text(row, compare_columns().scope) == set.scope) rows.insert(row);
    });
    return rows;
}

FastestRows fastest_rows(const ComparePageInput& in, const RowSet& rows) {
    FastestRows fastest;
    const TextColumn& methods = in.data.table.text(compare_columns().method);
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> by_code;
    rows.each([&](std::size_t row) {
        const auto [at, fresh] = by_code.try_emplace({in.data.layer[row], methods.code(row)}, row);
        const double time = in.data.number(row, compare_columns().time);
        if (!fresh && time < in.data.number(at->second, compare_columns().time)) at->second = row;
    });
    for (const auto& [key, row] : by_code) fastest[key.first][std::string(methods[row])] = row;
    return fastest;
}

std::vector<std::string> methods_in(const ComparePageInput& in, const RowSet& rows) {
    std::vector<std::string> methods = distinct_cells(in.data.table, rows, compare_columns().method);
    std::ranges::sort(methods, {}, [&](const std::string& id) { return std::pair(in.is_vendors(id), id); });
    return methods;
}

std::vector<std::string> layers_in(const ComparePageInput& in, const RowSet& rows) {
    std::vector<bool> there(in.data.layer_names.size());
    rows.each([&](std::size_t row) { there[in.data.layer[row]] = true; });
    std::vector<std::string> names;
    for (std::size_t i = 0; i < there.size(); ++i)
        if (there[i]) names.push_back(in.data.layer_names[i]);
    return names;
}

std::string Speedups::key(std::size_t row) const {
    const RecordTable& table = in_.data.table;
    static const std::size_t n = table_column("n"), seed = table_column("seed"), source = table_column("source"),
                             cache = table_column("cache_mode"),
                             weight_sparsity = table_column("weight_sparsity_target"),
                             weight_pattern = table_column("weight_pattern");
    const CompareColumns& c = compare_columns();
    return fmt::format("{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}", in_.data.layer[row], table.numbers(n)[row],
                       table.numbers(c.sparsity)[row], table.numbers(weight_sparsity)[row],
                       table.text(weight_pattern)[row], table.text(seed)[row], table.text(source)[row],
                       table.text(c.scope)[row], table.text(cache)[row], table.text(c.dtype)[row],
                       table.text(c.device_name)[row]);
}

Speedups::Speedups(const ComparePageInput& in) : in_(in) {
    in.shown.each([&](std::size_t row) {
        if (!in.data.vendor(row) || !in.data.passed(row)) return;
        const double time = in.data.number(row, compare_columns().time);
        const auto [at, fresh] = baselines_.try_emplace(key(row), time, in.data.number(row, compare_columns().noise));
        if (!fresh && time < at->second.first) at->second = {time, in.data.number(row, compare_columns().noise)};
    });
}

Speedup Speedups::of(std::size_t row) const {
    const auto found = baselines_.find(key(row));
    const double recorded = in_.data.number(row, compare_columns().speedup);
    const double time = in_.data.number(row, compare_columns().time);
    const double baseline = found == baselines_.end() ? std::nan("") : found->second.first;
    const double value = std::isnan(recorded) ? baseline / time : recorded;
    // Noise is half the 95 % interval of a median; a ratio's ends pair opposite ends. Where a row has no interval, its
    // ratio has none.
    const auto noise = [](double percent) { return std::isnan(percent) ? percent : std::min(percent, 90.0) / 100; };
    const double ours = noise(in_.data.number(row, compare_columns().noise));
    const double theirs = found == baselines_.end() ? 0 : noise(found->second.second);
    const bool itself =
        is_own_baseline(in_.data, row) || (std::isnan(recorded) && in_.data.vendor(row) && time == baseline);
    return {value, value * (1 - theirs) / (1 + ours), value * (1 + theirs) / (1 - ours), itself};
}

void add_speedup(PlotSeries& series, double x, const Speedup& speedup, std::size_t row) {
    series.x.push_back(x);
    series.y.push_back(speedup.value);
    series.low.push_back(speedup.low);
    series.high.push_back(speedup.high);
    series.row.push_back(static_cast<PlotRow>(row));
}

}  // namespace convscope::app
