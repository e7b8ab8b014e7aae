#include "app/ui/sweep_view/sweep_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "app/session/sweep_axes.h"
#include "app/sweep/search_run.h"
#include "kernels/measure/measure.h"
#include "kernels/records/ratio_estimate.h"
#include "kernels/records/record_key.h"
#include "kernels/records/record_table.h"
#include "kernels/records/row_query.h"

namespace convscope::app {

namespace {

/// Method and workload, as text.
std::string work_of(const Record& row) {
    return fmt::format("{} {} {} {} {} {}", row.method, to_string(row.shape), row.sparsity_target,
                       row.weight_sparsity_target, row.weight_pattern, row.timing_scope);
}

std::set<std::string> tunable_names(const std::vector<Record>& rows) {
    std::set<std::string> names;
    for (const Record& row : rows)
        for (const auto& [name, value] : tunables_of(row)) names.insert(name);
    return names;
}

/// Compares rows from a file, which have no samples, by the 95 % interval of the ratio of their medians.
bool tied(const Record& a, const Record& b) {
    if (!a.samples_us.empty() && !b.samples_us.empty()) return cannot_be_told_apart(a, b);
    return !differs_from_one(*a.time_median_us / *b.time_median_us, a.noise_pct, b.noise_pct);
}

}  // namespace

void SweepRows::begin(std::vector<SweepAxis> axes) {
    axes_ = std::move(axes);
    rows_.clear();
    place_.clear();
}

bool SweepRows::add(Record record) {
    const auto [at, fresh] = place_.try_emplace(measurement_key(record), rows_.size());
    if (fresh)
        rows_.push_back(std::move(record));
    else
        rows_[at->second] = std::move(record);
    return fresh;
}

RowSet SweepRows::where(const std::string& query) const {
    RecordTable table;
    for (const Record& row : rows_) table.append(row, "");
    return rows_where(table, parse_query(query));
}

SweepRows SweepRows::only(const RowSet& set) const {
    SweepRows some;
    some.begin(axes_);
    set.each([&](std::size_t row) { some.add(rows_[row]); });
    return some;
}

std::vector<SweepAxis> axes_among(const std::vector<Record>& rows) {
    std::vector<SweepAxis> requested;
    for (int i = 0; i + 1 < sweep_kind_count; ++i) requested.push_back({static_cast<SweepKind>(i), "", ""});
    for (const std::string& name : tunable_names(rows)) requested.push_back({SweepKind::tunable, name, ""});
    std::vector<SweepAxis> axes;
    for (const SweepAxis& axis : requested) {
        std::map<std::string, std::set<double>> values;  // of each method, of launches on each work
        for (const Record& row : rows)
            if (const double value = value_on(axis, row); std::isfinite(value))
                values[is_launch(axis.kind) ? work_of(row) : row.method].insert(value);
        if (std::ranges::any_of(values, [](const auto& group) { return group.second.size() > 1; }))
            axes.push_back(axis);
    }
    // Where blocks vary, grids follow from them.
    auto is_block = [](const SweepAxis& axis) {
        return axis.kind >= SweepKind::block_x && axis.kind <= SweepKind::block_z;
    };
    auto is_grid = [](const SweepAxis& axis) {
        return axis.kind >= SweepKind::grid_x && axis.kind <= SweepKind::grid_z;
    };
    if (std::ranges::any_of(axes, is_block)) std::erase_if(axes, is_grid);
    return axes;
}

std::string describe_point(const std::vector<SweepAxis>& axes, const Record& record) {
    std::string text;
    for (const SweepAxis& axis : axes) {
        const double value = value_on(axis, record);
        if (std::isfinite(value))
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name_of(axis), plot_words(scale_of(axis), value));
    }
    return text;
}

std::optional<BestPoint> best_point(const SweepRows& sweep) {
    if (std::ranges::any_of(sweep.axes(), [](const SweepAxis& axis) { return !is_launch(axis.kind); })) return {};
    const std::vector<Record>& rows = sweep.rows();
    std::set<std::string> works;
    for (const Record& row : rows) works.insert(to_string(row.shape));
    if (works.size() > 1) return {};
    std::optional<BestPoint> best;
    std::size_t candidates = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (!is_timed(rows[i]) || is_vendors(rows[i])) continue;
        ++candidates;
        if (!best || *rows[i].time_median_us < *rows[best->row].time_median_us)
            best = {static_cast<PlotRow>(i), 0, 0, {}};
    }
    if (candidates < 2) return {};
    const Record& first = rows[best->row];
    const double half = *first.time_median_us * first.noise_pct.value_or(0) / 100;
    best->low_us = *first.time_median_us - half;
    best->high_us = *first.time_median_us + half;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (i != best->row && is_timed(rows[i]) && !is_vendors(rows[i]) && tied(first, rows[i]))
            best->tied.push_back(static_cast<PlotRow>(i));
    return best;
}

}  // namespace convscope::app
