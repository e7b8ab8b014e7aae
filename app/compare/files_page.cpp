// The same measurements in two files.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/compare/compare_pages.h"
#include "kernels/layers/shape_fields.h"
#include "kernels/records/record_key.h"

namespace convscope::app {
namespace {

/// Equal for rows that measure the same thing on one device: what record_key.h compares.
std::string key_of(const ComparePageInput& in, std::size_t row) {
    // With what stands for a field in a file from before there was this field.
    static const std::vector<std::pair<std::size_t, std::string>> columns = [] {
        std::vector<std::pair<std::size_t, std::string>> list;
        // Another program's file may have no dtype; the method says it.
        for (const std::string_view name : point_columns()) {
            if (name == "dtype") continue;
            const auto field = std::ranges::find(shape_fields, name, &ShapeField::name);
            list.emplace_back(table_column(name),
                              field != shape_fields.end() ? std::to_string(ConvShape().*field->member) : "");
        }
        return list;
    }();
    std::string key;
    for (const auto& [column, otherwise] : columns) {
        const std::string cell = in.data.table.cell(row, column);
        key += (cell.empty() ? otherwise : cell) + '|';
    }
    return key;
}

std::string_view device_kind(const ComparePageInput& in, std::size_t row) {
    const std::string_view device = in.data.text(row, compare_columns().device);
    return device.substr(0, device.find(':'));
}

/// The latest row of each point of one file.
class LatestRows {
public:
    LatestRows(const ComparePageInput& in, const RowSet& rows, const std::string& file) : in_(in) {
        rows.each([&](std::size_t row) {
            if (in.data.text(row, compare_columns().file) == file) rows_.push_back(row);
        });
    }

    /// Names tell devices of one kind apart where there are several.
    bool several_of_a_kind() const {
        std::map<std::string_view, std::string_view> names;
        return std::ranges::any_of(rows_, [&](std::size_t row) {
            const std::string_view name = in_.data.text(row, compare_columns().device_name);
            return names.try_emplace(device_kind(in_, row), name).first->second != name;
        });
    }
    std::map<std::string, std::size_t> by_point(bool by_device_name) const {
        std::map<std::string, std::size_t> latest;
        for (const std::size_t row : rows_) {
            std::string key = fmt::format("{}|{}", device_kind(in_, row), key_of(in_, row));
            if (by_device_name) key += in_.data.text(row, compare_columns().device_name);
            const auto [there, fresh] = latest.try_emplace(key, row);
            if (!fresh && in_.data.supersedes(row, there->second)) there->second = row;
        }
        return latest;
    }

private:
    const ComparePageInput& in_;
    std::vector<std::size_t> rows_;
};

/// The columns that estimate_speedup reads.
Record row_of(const ComparePageInput& in, std::size_t row) {
    const CompareColumns& c = compare_columns();
    const auto number = [&](std::size_t column) { return in.data.known(row, column); };
    Record record;
    record.device = in.data.text(row, c.device);
    record.timing_scope = in.data.text(row, c.scope);
    record.time_median_us = number(c.time);
    record.time_q1_us = number(c.q1);
    record.time_q3_us = number(c.q3);
    record.samples = static_cast<std::int64_t>(number(c.samples).value_or(0));
    record.noise_pct = number(c.noise);
    record.noise_from = in.data.text(row, c.noise_from);
    return record;
}

ComparedPair compare(const ComparePageInput& in, std::size_t before, std::size_t after) {
    const RatioEstimate speedup = *estimate_speedup(row_of(in, before), row_of(in, after));
    const auto [slow, fast] = speedup.interval.value_or(std::pair{speedup.ratio, speedup.ratio});
    return {
        static_cast<std::uint32_t>(before),  static_cast<std::uint32_t>(after), 1 / speedup.ratio, 1 / fast, 1 / slow,
        verdict_of(speedup, default_tie_pct)};
}

}  // namespace

void files_page(const ComparePageInput& in, CompareResult& result) {
    Plot plot;
    plot.x = {"measurement, in the order of the ratio", "", false, false, {}, {}, true};
    plot.y = {"time after / time before", "x", true, false, {}, {}};
    plot.subtitle = fmt::format("{} against {}", in.set.after, in.set.before);
    plot.reference = 1;
    const bool same_file = in.set.before == in.set.after && result.lists.files.size() > 1;
    plot.empty_hint =
        same_file ? "Both choices above are the same file: choose another one to compare it with."
        : result.lists.files.size() < 2
            ? "One file is open. Open two: convscope BEFORE.csv AFTER.csv, drop them on the window, or Ctrl and a "
              "click on a second session in the list at the top left."
            : "The two files have no measurement in common.";
    FixedRows fixed = fix_columns(in, in.shown, {"layer", "timing_scope"}, Otherwise::show_all);
    if (in.set.before != in.set.after) {
        const LatestRows before(in, fixed.rows, in.set.before), after(in, fixed.rows, in.set.after);
        const bool by_name = before.several_of_a_kind() || after.several_of_a_kind();
        const auto points = before.by_point(by_name);
        for (const auto& [point, row] : after.by_point(by_name))
            if (const auto at = points.find(point);
                at != points.end() && in.data.passed(at->second) && in.data.passed(row))
                result.pairs.push_back(compare(in, at->second, row));
    }
    std::ranges::sort(result.pairs, {}, &ComparedPair::ratio);
    std::vector<std::size_t> rows;
    for (const ComparedPair& pair : result.pairs) rows.push_back(pair.after);
    const std::vector<std::string> points = what_differs(in.data, rows);
    for (std::size_t i = 0; i < points.size(); ++i) result.pairs[i].point = points[i];
    std::size_t improved = 0, worse = 0, tied = 0;
    for (std::size_t i = 0; i < result.pairs.size(); ++i) {
        const ComparedPair& pair = result.pairs[i];
        improved += pair.verdict == Verdict::improved ? 1 : 0;
        worse += pair.verdict == Verdict::worse ? 1 : 0;
        tied += pair.verdict == Verdict::tied ? 1 : 0;
        const std::string method = in.method_of(pair.after);
        auto at = std::ranges::find(plot.series, method, &PlotSeries::name);
        if (at == plot.series.end()) {
            plot.series.push_back(in.series(method));
            plot.series.back().marks = PlotSeries::Marks::dots;
            at = plot.series.end() - 1;
        }
        at->x.push_back(static_cast<double>(i + 1));
        at->y.push_back(pair.ratio);
        at->low.push_back(pair.low);
        at->high.push_back(pair.high);
        at->row.push_back(pair.after);
    }
    if (!result.pairs.empty())
        result.findings.push_back(lead_of(
            fmt::format(
                "Of {} measurements in both, {} improved, {} are worse, {} are tied (within {} %), {} are unclear.",
                result.pairs.size(), improved, worse, tied, default_tie_pct,
                result.pairs.size() - improved - worse - tied),
            fmt::format("{} improved", improved)));
    add_plot(result, std::move(plot), std::move(fixed.columns));
}

}  // namespace convscope::app
