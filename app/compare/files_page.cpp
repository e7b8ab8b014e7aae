// The same measurements in two files.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/compare/compare_pages.h"
#include "kernels/records/record_key.h"

namespace convscope::app {
namespace {

/// Equal for rows that measure the same thing: what record_key.h compares, whatever the device.
std::string key_of(const ComparePageInput& in, std::size_t row) {
    static const std::vector<std::size_t> columns = [] {
        std::vector<std::size_t> list;
        // Another program's file may have no dtype; the method says it.
        for (const std::string_view name : point_columns())
            if (name != "dtype") list.push_back(table_column(name));
        return list;
    }();
    std::string key;
    for (const std::size_t column : columns) key += in.data.table.cell(row, column) + '|';
    return key;
}

ComparedPair compare(const ComparePageInput& in, std::size_t before, std::size_t after) {
    const CompareColumns& c = compare_columns();
    const double base = in.data.number(before, c.time), other = in.data.number(after, c.time);
    const double base_noise = in.data.number(before, c.noise), other_noise = in.data.number(after, c.noise);
    RatioEstimate speedup{base / other, {}, {}};
    if (std::isfinite(base_noise) && std::isfinite(other_noise))
        speedup.interval = speedup_interval(speedup.ratio, base_noise, other_noise);
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
    plot.empty_hint =
        result.lists.files.size() < 2
            ? "One file is open. Open two: convscope BEFORE.csv AFTER.csv, drop them on the window, or Ctrl and a "
              "click on a second session in the list at the top left."
            : "The two files have no measurement in common.";
    HeldRows held = hold(in, in.shown, {"layer", "timing_scope"}, Otherwise::show_all);
    std::map<std::string, std::size_t> before;
    if (in.set.before != in.set.after) {
        held.rows.each([&](std::size_t row) {
            if (in.data.passed(row) && in.data.text(row, compare_columns().file) == in.set.before)
                before[key_of(in, row)] = row;
        });
        held.rows.each([&](std::size_t row) {
            if (!in.data.passed(row) || in.data.text(row, compare_columns().file) != in.set.after) return;
            if (const auto at = before.find(key_of(in, row)); at != before.end())
                result.pairs.push_back(compare(in, at->second, row));
        });
    }
    std::ranges::sort(result.pairs, {}, &ComparedPair::ratio);
    std::size_t improved = 0, worse = 0;
    for (std::size_t i = 0; i < result.pairs.size(); ++i) {
        const ComparedPair& pair = result.pairs[i];
        improved += pair.verdict == Verdict::improved ? 1 : 0;
        worse += pair.verdict == Verdict::worse ? 1 : 0;
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
        result.findings.push_back(fmt::format("Of {} measurements in both, {} improved, {} became worse, {} are tied.",
                                              result.pairs.size(), improved, worse,
                                              result.pairs.size() - improved - worse));
    add_plot(result, std::move(plot), std::move(held.columns));
}

}  // namespace convscope::app
