// The sweep's plots over two axes and over all.
#include "app/ui/sweep_view/sweep_plot_maker.h"

namespace convscope::app {

SweepPlot SweepPlotMaker::map() const {
    SweepPlot made{SweepPane::map, "", {}};
    const SweepAxis &x = axes_[0], &y = axes_[1];
    Plot& plot = made.plot;
    plot.x = named_scale(x);
    plot.y = named_scale(y);
    const std::vector<double> xs = values_on(x), ys = values_on(y);
    plot.cells.emplace();
    plot.cells->value = metric_scale();
    plot.cells->ratio = choice_.metric == SweepMetric::speedup;
    plot.cells->cells.assign(xs.size() * ys.size(), {none, "", "", "", no_row});
    auto place = [](const std::vector<double>& all, double value) {
        return static_cast<std::size_t>(std::ranges::lower_bound(all, value) - all.begin());
    };
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const Record& row = rows_[i];
        const double at_x = value_on(x, row), at_y = value_on(y, row);
        if (row.method != choice_.method || !std::isfinite(at_x) || !std::isfinite(at_y)) continue;
        PlotCell& cell = plot.cells->cells[place(ys, at_y) * xs.size() + place(xs, at_x)];
        const double value = metric(row);
        if (std::isfinite(value)) {
            if (std::isfinite(cell.value) && !better(row, rows_[cell.row])) continue;
            cell = {value, "", "", "", static_cast<PlotRow>(i)};
        } else if (!std::isfinite(cell.value)) {
            cell.reason = row.status_reason;
            cell.row = static_cast<PlotRow>(i);
        }
    }
    made.title = fmt::format("{} of {}{}", to_string(choice_.metric), choice_.method,
                             axes_.size() > 2 ? ", the best over the other axes" : "");
    return made;
}

SweepPlot SweepPlotMaker::parallel() const {
    SweepPlot made{SweepPane::parallel,
                   "Every point: a line over all axes, coloured by its " + std::string(to_string(choice_.metric)),
                   {}};
    made.plot.parallel.emplace();
    PlotParallel& lines = *made.plot.parallel;
    std::vector<PlotRow> shown;
    for (std::size_t i = 0; i < rows_.size(); ++i)
        if (std::isfinite(metric(rows_[i]))) shown.push_back(static_cast<PlotRow>(i));
    auto add = [&](PlotScale scale, auto value) {
        lines.axes.push_back(std::move(scale));
        std::vector<double>& column = lines.values.emplace_back();
        for (const PlotRow row : shown) column.push_back(value(rows_[row]));
    };
    const std::vector<std::string> methods = methods_of(sweep_);
    if (methods.size() > 1) {
        PlotScale scale{"method", "", false, false, methods, {}};
        add(std::move(scale), [&](const Record& row) {
            return static_cast<double>(std::ranges::find(methods, row.method) - methods.begin());
        });
    }
    for (const SweepAxis& axis : axes_) {
        const std::vector<double> values = values_on(axis);
        add(named_scale(axis), [&](const Record& row) {
            const double value = value_on(axis, row);
            return std::isfinite(value) ? static_cast<double>(std::ranges::lower_bound(values, value) - values.begin())
                                        : none;
        });
    }
    if (has_occupancy())
        add({"occupancy", "%", false, false, {}, {}},
            [](const Record& row) { return row.occupancy_pct.value_or(none); });
    add(metric_scale(), [this](const Record& row) { return metric(row); });
    lines.row = shown;
    lines.colour_axis = lines.axes.size() - 1;
    return made;
}

}  // namespace convscope::app
