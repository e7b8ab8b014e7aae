// Any figure over any axis, a line for each method.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "app/compare/compare_pages.h"
#include "kernels/core/format_units.h"
#include "kernels/records/work_fit.h"
#include "kernels/records/zeros_pay.h"

namespace convscope::app {
namespace {

void add_spread(const ComparePageInput& in, const Speedups& speedups, std::size_t row, PlotSeries& series) {
    if (in.set.y == "time_median_us") {
        series.low.push_back(in.data.number(row, compare_columns().q1));
        series.high.push_back(in.data.number(row, compare_columns().q3));
    } else if (in.set.y == "speedup_vs_vendor") {
        const Speedup speedup = speedups.of(row);
        series.low.push_back(speedup.low);
        series.high.push_back(speedup.high);
    }
}

/// A line needs its points in order, and one at each place; anything else is a cloud.
void settle_marks(PlotSeries& series, bool names) {
    std::set<double> places(series.x.begin(), series.x.end());
    series.marks =
        places.size() == series.x.size() && !names ? PlotSeries::Marks::line_and_dots : PlotSeries::Marks::dots;
}

std::string sentence_of(const WorkLine& line, const LayerFit& layer) {
    std::string text = fmt::format("{} takes {} + multiply-adds / {}", line.method, format_time_us(line.t0_us),
                                   format_rate(line.rate));
    for (const DenseTime& dense : layer.fastest) text += "; " + crossing_text(line, dense);
    return text + ".";
}

/// A series that is not measured, with a note, in its method's colour.
PlotSeries noted(const PlotSeries& of_method, std::string name, std::string note, std::string brief_note) {
    PlotSeries series;
    series.name = std::move(name);
    series.note = std::move(note);
    series.brief_note = std::move(brief_note);
    series.color = of_method.color;
    return series;
}

/// t0 + work / rate from 0 to 100 % zeros. Many points: on a logarithmic axis it is no straight line.
PlotSeries line_over_zeros(const WorkLine& line, double rate, PlotSeries series) {
    constexpr int steps = 50;
    series.marks = PlotSeries::Marks::line;
    for (int i = 0; i <= steps; ++i) {
        const double zeros = static_cast<double>(i) / steps;
        series.x.push_back(100 * zeros);
        series.y.push_back(line.t0_us + line.work_without_zeros * (1 - zeros) / rate);
    }
    return series;
}

/// A method's line, dashed; the same at the rate's ceiling, dotted; and where the line passes the fastest dense method
/// of each precision.
void draw_line_over_work(const ComparePageInput& in, const WorkLine& line, const LayerFit& layer, Plot& plot) {
    const PlotSeries of_method = in.series(line.method);
    const std::string t0 = format_time_us(line.t0_us), rate = format_rate(line.rate);
    plot.series.push_back(line_over_zeros(line, line.rate,
                                          noted(of_method, line.method + ", fitted",
                                                fmt::format("{}: {} + multiply-adds / {}, {} off at most", line.method,
                                                            t0, rate, format_time_us(line.off_us)),
                                                fmt::format("{} + work / {}", t0, rate))));
    plot.series.back().dashed = true;
    const std::optional<double> ceiling = shared_operand_rate(layer.conditions);
    if (ceiling && line.arithmetic == "fp32" && line.rate < *ceiling) {
        plot.series.push_back(
            line_over_zeros(line, *ceiling,
                            noted(of_method, line.method + ", ceiling",
                                  fmt::format("ceiling of {}: {}, each multiply-add with an operand from shared memory",
                                              line.method, format_rate(*ceiling)),
                                  fmt::format("{} ceiling {}", line.method, format_rate(*ceiling)))));
        plot.series.back().dotted = true;
    }
    for (const DenseTime& dense : layer.fastest) {
        const std::optional<double> zeros = line.zeros_for(dense.us);
        if (!zeros || *zeros == 0) continue;
        PlotSeries crossing =
            noted(of_method, fmt::format("{}, as fast as {}", line.method, dense.method),
                  fmt::format("{} is {}", line.method, crossing_text(line, dense)),
                  fmt::format("{} {} {}", line.method, precision_of(dense.arithmetic), format_percent(*zeros)));
        crossing.neutral = true;  // it is as much the dense method's
        crossing.marks = PlotSeries::Marks::dots;
        crossing.shape = PlotSeries::Shape::hollow_square;
        crossing.x = {100 * *zeros};
        crossing.y = {dense.us};
        plot.series.push_back(std::move(crossing));
    }
}

/// The number that leads a line's sentence: the zeros from which on it is faster, where there are any, else its rate.
std::string number_of(const WorkLine& line, const LayerFit& layer) {
    for (const DenseTime& dense : layer.fastest)
        if (const auto zeros = line.zeros_for(dense.us); zeros && *zeros > 0) return format_percent(*zeros) + " zeros";
    return format_rate(line.rate);
}

/// Describes, where the page shows time over the zeros of one layer, whether skipping them pays, and the line that each
/// method that skips them follows (kernels/records/work_fit.h), the fastest first.
void tell_lines_over_work(const ComparePageInput& in, const RowSet& rows, Plot& plot, std::vector<Lead>& findings) {
    constexpr std::size_t max_rows = 20'000;
    if (in.set.x != "sparsity_target" || in.set.y != "time_median_us" || rows.count() > max_rows) return;
    std::vector<Record> records;
    rows.each([&](std::size_t row) {
        if (in.data.passed(row)) records.push_back(in.data.table.record(row));
    });
    std::vector<LayerFit> layers = fit_work(records);
    if (layers.size() != 1) return;
    LayerFit& layer = layers.front();
    std::ranges::sort(layer.lines, {}, &WorkLine::fastest_us);
    if (const auto pay = zeros_pay(records)) findings.push_back(lead_of(pay->sentence(), pay->verdict()));
    for (const WorkLine& line : layer.lines) {
        if (!line.holds()) continue;
        findings.push_back(lead_of(sentence_of(line, layer), number_of(line, layer)));
        draw_line_over_work(in, line, layer, plot);
    }
}

}  // namespace

void lines_page(const ComparePageInput& in, CompareResult& result) {
    const bool of_one_layer = !tells_layers_apart(in.set.x) && in.set.x != "method";
    FixedRows fixed =
        fix_columns(in, in.shown, of_one_layer ? std::set{in.set.x} : std::set<std::string>{in.set.x, "layer"});
    const RowSet& rows = fixed.rows;
    const CompareAxis x = make_compare_axis(in, rows, in.set.x), y = make_compare_axis(in, rows, in.set.y);
    const Speedups speedups(in);
    Plot plot;
    plot.x = x.scale;
    plot.y = y.scale;
    plot.subtitle = of_one_layer ? fmt::format("Every method on {}", in.set.layer) : "Every method on every layer";
    plot.empty_hint = "No row of this layer and scope has both values: choose others above.";
    if (in.set.y == "speedup_vs_vendor") {
        plot.reference = 1;
        plot.y.name = in.speedup_name();
    }
    for (const std::string& method : methods_in(in, rows)) plot.series.push_back(in.series(method));
    std::map<std::string, std::size_t, std::less<>> place;
    for (std::size_t i = 0; i < plot.series.size(); ++i) place[plot.series[i].name] = i;

    std::vector<std::pair<double, std::uint32_t>> order;
    order.reserve(rows.count());
    rows.each([&](std::size_t row) { order.emplace_back(x.value(row), static_cast<std::uint32_t>(row)); });
    std::erase_if(order, [](const auto& one) { return std::isnan(one.first); });
    std::ranges::stable_sort(order, {}, [](const auto& one) { return one.first; });
    // If a point was measured twice, the faster time counts.
    const bool one_at_each = of_one_layer && (in.set.x.ends_with("sparsity_target") || in.set.x == "n");
    for (const auto& [at, row] : order) {
        if (!in.data.passed(row)) {
            const std::string method = in.method_of(row);
            if (plot.rejected.size() < 2000 && in.data.text(row, compare_columns().status) != "passed")
                plot.rejected.push_back(
                    {at, fmt::format("{}: {}", method, in.data.text(row, compare_columns().reason)), row, method});
            continue;
        }
        if (in.set.y == "speedup_vs_vendor" && speedups.of(row).baseline) continue;  // the line at 1
        PlotSeries& series = plot.series[place.find(in.data.text(row, compare_columns().method))->second];
        if (one_at_each && !series.x.empty() && series.x.back() == at) {
            if (in.data.number(row, compare_columns().time) >=
                in.data.number(series.row.back(), compare_columns().time))
                continue;
            for (std::vector<double>* column : {&series.x, &series.y, &series.low, &series.high})
                if (!column->empty()) column->pop_back();
            series.row.pop_back();
        }
        series.x.push_back(at);
        series.y.push_back(in.set.y == "speedup_vs_vendor" ? speedups.of(row).value : y.value(row));
        series.row.push_back(row);
        add_spread(in, speedups, row, series);
    }
    std::erase_if(plot.series, [](const PlotSeries& series) { return series.x.empty(); });
    for (PlotSeries& series : plot.series) settle_marks(series, !x.scale.names.empty());
    tell_lines_over_work(in, rows, plot, result.findings);
    plot.subtitle += crosses_in_words(plot);
    plot.command = command_for(in.data, rows);
    add_plot(result, std::move(plot), std::move(fixed.columns));
}

}  // namespace convscope::app
