#include "app/sweep_view/sweep_plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "app/sweep_view/sweep_axes.h"

namespace convscope::app {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t most_lines = 6;  ///< of one method; beyond, each point shows the best over the other axes

class Maker {
public:
    Maker(const SweepRows& sweep, const SweepPlotChoice& choice)
        : sweep_(sweep), rows_(sweep.rows()), choice_(choice), axes_(varying()), best_(best_point(sweep)) {}

    std::vector<SweepPlot> make() const {
        std::vector<SweepPlot> plots;
        if (axes_.empty()) return plots;
        plots.push_back(lines());
        if (axes_.size() > 1) plots.push_back(map());
        if (has_occupancy()) plots.push_back(occupancy());
        if (axes_.size() > 1) plots.push_back(parallel());
        for (SweepPlot& one : plots) {
            one.plot.command = choice_.command;
            one.plot.title = one.title;
            if (!best_) continue;
            one.plot.best = best_->row;
            one.plot.tied = best_->tied;
        }
        return plots;
    }

private:
    std::vector<double> values_on(const SweepAxis& axis) const {
        std::set<double> values;
        for (const Record& row : rows_)
            if (const double value = value_on(axis, row); std::isfinite(value)) values.insert(value);
        return {values.begin(), values.end()};
    }

    std::vector<SweepAxis> varying() const {
        std::vector<SweepAxis> axes;
        for (const SweepAxis& axis : sweep_.axes())
            if (values_on(axis).size() > 1) axes.push_back(axis);
        return axes;
    }

    bool has_occupancy() const {
        return std::ranges::any_of(rows_, [](const Record& row) { return row.occupancy_pct && is_timed(row); });
    }

    PlotScale metric_scale() const {
        PlotScale scale{"time", "us", false, false, {}, {}};
        if (choice_.metric == SweepMetric::speedup) scale = {"speed-up over the vendor", "x", true, false, {}, {}};
        if (choice_.metric == SweepMetric::rate) scale = {"rate, dense", "GFLOP/s", false, true, {}, {}};
        double low = 1e300, high = 0;
        for (const Record& row : rows_)
            if (const double value = metric(row); std::isfinite(value)) {
                low = std::min(low, value);
                high = std::max(high, value);
            }
        // Where ratios matter.
        if (high > 3 * low && choice_.metric != SweepMetric::rate) scale.log = true;
        return scale;
    }

    double metric(const Record& row) const {
        if (!is_timed(row)) return none;
        switch (choice_.metric) {
            case SweepMetric::time:
                return *row.time_median_us;
            case SweepMetric::speedup:
                return row.speedup_vs_vendor.value_or(none);
            case SweepMetric::rate:
                return row.gflops.value_or(none);
        }
        return none;
    }
    bool better(const Record& a, const Record& b) const {
        return choice_.metric == SweepMetric::time ? metric(a) < metric(b) : metric(a) > metric(b);
    }

    PlotScale axis_scale(const SweepAxis& axis) const {
        PlotScale scale = scale_of(axis);
        const std::vector<double> values = values_on(axis);
        scale.log = values.front() > 0 && values.back() >= 8 * values.front() && axis.kind != SweepKind::sparsity;
        return scale;
    }
    PlotScale named_scale(const SweepAxis& axis) const {
        PlotScale scale = scale_of(axis);
        const std::string unit = std::exchange(scale.unit, "");
        for (const double value : values_on(axis)) scale.names.push_back(plot_words(scale_of(axis), value));
        if (!unit.empty())
            for (std::string& name : scale.names) name = name.substr(0, name.find(' '));
        scale.unit = unit;
        return scale;
    }

    /// Rows by what they are a line of: the method, and the other axes while these are few.
    std::map<std::string, std::vector<PlotRow>> line_groups(const SweepAxis& x, bool all_methods,
                                                            bool& best_only) const {
        std::map<std::string, std::vector<PlotRow>> groups, coarse;
        std::vector<SweepAxis> others;
        for (const SweepAxis& axis : axes_)
            if (!(axis == x)) others.push_back(axis);
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            if (!is_timed(rows_[i]) || (!all_methods && rows_[i].method != choice_.method)) continue;
            const std::string more = point_in_words(others, rows_[i]);
            groups[rows_[i].method + (more.empty() ? "" : ", " + more)].push_back(static_cast<PlotRow>(i));
            coarse[rows_[i].method].push_back(static_cast<PlotRow>(i));
        }
        best_only = groups.size() > std::max(most_lines, coarse.size());
        return best_only ? coarse : groups;
    }

    /// Along x, the best row of each value.
    std::vector<PlotRow> along(const SweepAxis& x, const std::vector<PlotRow>& group) const {
        std::map<double, PlotRow> best;
        for (const PlotRow row : group) {
            const double at = value_on(x, rows_[row]);
            if (!std::isfinite(at) || !std::isfinite(metric(rows_[row]))) continue;
            const auto [known, fresh] = best.try_emplace(at, row);
            if (!fresh && better(rows_[row], rows_[known->second])) known->second = row;
        }
        std::vector<PlotRow> line;
        for (const auto& [at, row] : best) line.push_back(row);
        return line;
    }

    PlotSeries series_of(const SweepAxis& x, const std::string& name, const std::vector<PlotRow>& line,
                         int color) const {
        PlotSeries series;
        series.name = name;
        series.color = color;
        series.vendor = !line.empty() && is_vendors(rows_[line.front()]);
        for (const PlotRow row : line) {
            const Record& record = rows_[row];
            series.x.push_back(value_on(x, record));
            series.y.push_back(metric(record));
            series.row.push_back(row);
            if (choice_.metric != SweepMetric::time) continue;
            series.low.push_back(record.time_q1_us.value_or(none));
            series.high.push_back(record.time_q3_us.value_or(none));
        }
        return series;
    }

    int color_of(const std::string& method) const {
        const auto found = choice_.colors.find(method);
        return found == choice_.colors.end() ? 0 : found->second;
    }

    std::string over_others(const SweepAxis& x, bool best_only) const {
        std::string names;
        for (const SweepAxis& axis : axes_)
            if (!(axis == x)) names += (names.empty() ? "" : ", ") + name_of(axis);
        return best_only ? fmt::format(", the best over {}", names) : std::string();
    }

    void add_refusals(const SweepAxis& x, Plot& plot, bool all_methods) const {
        std::set<std::pair<double, std::string>> said;
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            const Record& row = rows_[i];
            if (is_timed(row) || row.status == Status::passed || row.status == Status::cancelled) continue;
            if (!all_methods && row.method != choice_.method) continue;
            const double at = value_on(x, row);
            if (!std::isfinite(at) || !said.emplace(at, row.method).second) continue;
            plot.refused.push_back({at, row.method + ": " + row.status_reason, static_cast<PlotRow>(i)});
        }
    }

    SweepPlot lines() const {
        const SweepAxis& x = axes_.front();
        SweepPlot made{SweepPane::lines, "", {}};
        made.plot.x = axis_scale(x);
        made.plot.y = metric_scale();
        if (choice_.metric == SweepMetric::speedup) made.plot.reference = 1;
        bool best_only = false;
        const auto groups = line_groups(x, true, best_only);
        const std::size_t methods = methods_of(sweep_).size();
        int number = 0;
        for (const auto& [name, group] : groups) {
            const std::vector<PlotRow> line = along(x, group);
            if (line.empty()) continue;
            // Lines of one method need colours of their own.
            const int color = methods > 1 && best_only           ? color_of(rows_[line.front()].method)
                              : methods > 1 && axes_.size() == 1 ? color_of(rows_[line.front()].method)
                                                                 : number;
            made.plot.series.push_back(series_of(x, name, line, color));
            ++number;
        }
        add_refusals(x, made.plot, true);
        made.title = fmt::format("{} over {}{}", to_string(choice_.metric), name_of(x), over_others(x, best_only));
        return made;
    }

    SweepPlot map() const {
        SweepPlot made{SweepPane::map, "", {}};
        const SweepAxis &x = axes_[0], &y = axes_[1];
        Plot& plot = made.plot;
        plot.x = named_scale(x);
        plot.y = named_scale(y);
        const std::vector<double> xs = values_on(x), ys = values_on(y);
        plot.cells.emplace();
        plot.cells->value = metric_scale();
        plot.cells->ratio = choice_.metric == SweepMetric::speedup;
        plot.cells->cells.assign(xs.size() * ys.size(), {none, "", "", {}, false, no_row});
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
                cell = {value, "", "", {}, false, static_cast<PlotRow>(i)};
            } else if (!std::isfinite(cell.value) && row.status != Status::passed) {
                cell.reason = row.status_reason;
                cell.row = static_cast<PlotRow>(i);
            }
        }
        made.title = fmt::format("{} of {} over {} and {}{}", to_string(choice_.metric), choice_.method, name_of(x),
                                 name_of(y), axes_.size() > 2 ? ", the best over the rest" : "");
        return made;
    }

    SweepPlot occupancy() const {
        SweepPlot made{SweepPane::occupancy, "", {}};
        const SweepAxis& x = axes_.front();
        Plot& plot = made.plot;
        plot.x = axis_scale(x);
        plot.y = metric_scale();
        plot.right = {"predicted occupancy", "%", false, true, {}, AxisRange{0, 105}};
        bool best_only = false;
        std::vector<PlotRow> all;
        for (const auto& [name, group] : line_groups(x, false, best_only))
            all.insert(all.end(), group.begin(), group.end());
        const std::vector<PlotRow> line = along(x, all);
        plot.series.push_back(series_of(x, fmt::format("{} of {}", to_string(choice_.metric), choice_.method), line,
                                        color_of(choice_.method)));
        PlotSeries predicted;
        predicted.name = "predicted occupancy";
        predicted.neutral = predicted.right = true;
        for (const PlotRow row : line) {
            predicted.x.push_back(value_on(x, rows_[row]));
            predicted.y.push_back(rows_[row].occupancy_pct.value_or(none));
            predicted.row.push_back(row);
        }
        plot.series.push_back(std::move(predicted));
        add_refusals(x, plot, false);
        made.title = fmt::format("Measured {} and predicted occupancy{}", to_string(choice_.metric),
                                 over_others(x, axes_.size() > 1));
        return made;
    }

    SweepPlot parallel() const {
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
                return std::isfinite(value)
                           ? static_cast<double>(std::ranges::lower_bound(values, value) - values.begin())
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

    const SweepRows& sweep_;
    const std::vector<Record>& rows_;
    const SweepPlotChoice& choice_;
    const std::vector<SweepAxis> axes_;
    const std::optional<BestPoint> best_;
};

}  // namespace

std::vector<SweepPlot> sweep_plots(const SweepRows& sweep, const SweepPlotChoice& choice) {
    return Maker(sweep, choice).make();
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
