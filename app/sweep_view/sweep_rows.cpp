#include "app/sweep_view/sweep_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/sweep/search_run.h"
#include "app/sweep_view/sweep_axes.h"
#include "kernels/measure/measure.h"

namespace convscope::app {

void SweepRows::begin(std::vector<SweepAxis> axes) {
    axes_ = std::move(axes);
    rows_.clear();
    place_.clear();
}

void SweepRows::add(Record record) {
    const auto [at, fresh] = place_.try_emplace(measurement_key(record), rows_.size());
    if (fresh)
        rows_.push_back(std::move(record));
    else
        rows_[at->second] = std::move(record);
}

bool is_timed(const Record& record) {
    return record.status == Status::passed && record.time_median_us;
}

bool is_vendors(const Record& record) {
    return record.family == "vendor" || record.method.starts_with("cudnn") || record.method.starts_with("onednn");
}

std::string point_in_words(const std::vector<SweepAxis>& axes, const Record& record) {
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
        if (i != best->row && is_timed(rows[i]) && !is_vendors(rows[i]) && cannot_be_told_apart(first, rows[i]))
            best->tied.push_back(static_cast<PlotRow>(i));
    return best;
}

}  // namespace convscope::app
