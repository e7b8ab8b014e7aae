#include "app/ui/sweep_view/sweep_plots.h"

#include "app/ui/sweep_view/sweep_plot_maker.h"

namespace convscope::app {

SweepPlot SweepPlotMaker::lines() const {
    const SweepAxis& x = axes_.front();
    SweepPlot made{SweepPane::lines, "", {}};
    made.plot.x = axis_scale(x);
    made.plot.y = metric_scale();
    if (choice_.metric == SweepMetric::speedup) made.plot.reference = 1;
    const Lines lines = lines_over(x);
    for (const auto& [name, group] : lines.groups)
        if (const std::vector<PlotRow> line = along(x, group); !line.empty())
            made.plot.series.push_back(series_of(x, name, line));
    const std::size_t count = made.plot.series.size();
    for (std::size_t i = 0; i < count && !lines.by_method; ++i)
        made.plot.series[i].place = static_cast<double>(i) / static_cast<double>(std::max<std::size_t>(1, count - 1));
    add_rejections(x, made.plot, lines.of_all);
    made.title = fmt::format("{} over {}{}", to_string(choice_.metric), name_of(x), lines.title);
    return made;
}

SweepPlot SweepPlotMaker::occupancy() const {
    SweepPlot made{SweepPane::occupancy, "", {}};
    const SweepAxis& x = axes_.front();
    Plot& plot = made.plot;
    plot.x = axis_scale(x);
    plot.y = metric_scale();
    plot.right = {"predicted occupancy", "%", false, true, {}, AxisRange{0, 105}};
    std::vector<PlotRow> all;
    for (const auto& [name, group] : group_by([](const Record& row) { return row.method; }))
        if (name == choice_.method) all = group;
    const std::vector<PlotRow> line = along(x, all);
    plot.series.push_back(series_of(x, fmt::format("{} of {}", to_string(choice_.metric), choice_.method), line));
    PlotSeries predicted;
    predicted.name = "predicted occupancy";
    predicted.neutral = predicted.right = true;
    for (const PlotRow row : line) {
        predicted.x.push_back(value_on(x, rows_[row]));
        predicted.y.push_back(rows_[row].occupancy_pct.value_or(none));
        predicted.row.push_back(row);
    }
    plot.series.push_back(std::move(predicted));
    add_rejections(x, plot, false);
    made.title = fmt::format("{} and predicted occupancy{}", to_string(choice_.metric), over_others(x));
    return made;
}

std::vector<SweepPlot> sweep_plots(const SweepRows& sweep, const SweepPlotChoice& choice) {
    return SweepPlotMaker(sweep, choice).make();
}

void renumber(std::vector<SweepPlot>& plots, const std::vector<PlotRow>& rows) {
    const auto change = [&](PlotRow& row) {
        if (row != no_row) row = rows[row];
    };
    for (SweepPlot& one : plots) {
        Plot& plot = one.plot;
        for (PlotSeries& series : plot.series) std::ranges::for_each(series.row, change);
        for (PlotRejection& rejection : plot.rejected) change(rejection.row);
        if (plot.cells)
            for (PlotCell& cell : plot.cells->cells) change(cell.row);
        if (plot.parallel) std::ranges::for_each(plot.parallel->row, change);
        change(plot.best);
        std::ranges::for_each(plot.tied, change);
    }
}

std::vector<std::string> methods_of(const SweepRows& sweep) {
    std::vector<std::string> ours, vendors;
    for (const Record& row : sweep.rows()) {
        std::vector<std::string>& list = is_vendors(row) ? vendors : ours;
        if (std::ranges::find(list, row.method) == list.end()) list.push_back(row.method);
    }
    ours.insert(ours.end(), vendors.begin(), vendors.end());
    return ours;
}

}  // namespace convscope::app
