// The same measurements in two files.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/compare/compare_pages.h"
#include "kernels/measure/record_key.h"

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
    const auto noise = [&](std::size_t row) {
        const double percent = in.data.number(row, c.noise);
        return std::isnan(percent) ? 0.0 : std::min(percent, 90.0) / 100;
    };
    const double ratio = in.data.number(after, c.time) / in.data.number(before, c.time);
    ComparedPair pair{static_cast<std::uint32_t>(before),
                      static_cast<std::uint32_t>(after),
                      ratio,
                      ratio * (1 - noise(after)) / (1 + noise(before)),
                      ratio * (1 + noise(after)) / (1 - noise(before)),
                      ComparedPair::Verdict::tied};
    if (pair.high < 1) pair.verdict = ComparedPair::Verdict::improved;
    if (pair.low > 1) pair.verdict = ComparedPair::Verdict::worse;
    return pair;
}

}  // namespace

void files_page(const ComparePageInput& in, CompareResult& result) {
    Plot plot;
    plot.x = {"measurement, in the order of the ratio", "", false, false, {}, {}};
    plot.y = {"time after / time before", "x", true, false, {}, {}};
    plot.subtitle = fmt::format("{} against {}", in.set.after, in.set.before);
    plot.reference = 1;
    plot.empty_hint =
        result.lists.files.size() < 2
            ? "One file is open. Open two: convscope BEFORE.csv AFTER.csv, drop them on the window, or Ctrl and a "
              "click on a second session in the list at the top left."
            : "The two files have no measurement in common.";
    std::map<std::string, std::size_t> before;
    if (in.set.before != in.set.after) {
        in.shown.each([&](std::size_t row) {
            if (in.data.passed(row) && in.data.text(row, compare_columns().file) == in.set.before)
                before[key_of(in, row)] = row;
        });
        in.shown.each([&](std::size_t row) {
            if (!in.data.passed(row) || in.data.text(row, compare_columns().file) != in.set.after) return;
            if (const auto at = before.find(key_of(in, row)); at != before.end())
                result.pairs.push_back(compare(in, at->second, row));
        });
    }
    std::ranges::sort(result.pairs, {}, &ComparedPair::ratio);
    std::size_t improved = 0, worse = 0;
    for (std::size_t i = 0; i < result.pairs.size(); ++i) {
        const ComparedPair& pair = result.pairs[i];
        improved += pair.verdict == ComparedPair::Verdict::improved ? 1 : 0;
        worse += pair.verdict == ComparedPair::Verdict::worse ? 1 : 0;
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
        result.findings.push_back(fmt::format("{} of {} measurements improved, {} are worse, {} cannot be told apart.",
                                              improved, result.pairs.size(), worse,
                                              result.pairs.size() - improved - worse));
    result.plots.push_back(std::move(plot));
}

}  // namespace convscope::app
