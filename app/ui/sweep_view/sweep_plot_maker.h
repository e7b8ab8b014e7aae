// Makes the plots of a sweep's rows, one function for each. Internal to this folder.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/compare/method_colours.h"
#include "app/session/sweep_axes.h"
#include "app/ui/sweep_view/sweep_metric.h"
#include "app/ui/sweep_view/sweep_plots.h"

namespace convscope::app {

class SweepPlotMaker {
public:
    SweepPlotMaker(const SweepRows& sweep, const SweepPlotChoice& choice)
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
            one.title += crosses_in_words(one.plot);
            one.plot.title = one.title;
            if (!best_) continue;
            one.plot.best = best_->row;
            one.plot.tied = best_->tied;
        }
        return plots;
    }

private:
    static constexpr double none = std::numeric_limits<double>::quiet_NaN();
    /// The most lines of one plot; beyond, each point shows the best over the other axes.
    static constexpr std::size_t max_lines = 6;

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
        return choice_.metric != SweepMetric::occupancy &&
               std::ranges::any_of(rows_, [this](const Record& row) { return row.occupancy_pct && has_metric(row); });
    }

    PlotScale metric_scale() const {
        PlotScale scale = scale_of(choice_.metric);
        double low = 1e300, high = 0;
        for (const Record& row : rows_)
            if (const double value = metric(row); std::isfinite(value)) {
                low = std::min(low, value);
                high = std::max(high, value);
            }
        // Where ratios matter.
        if (low > 0 && high > 3 * low && choice_.metric != SweepMetric::rate) scale.log = true;
        return scale;
    }

    double metric(const Record& row) const { return value_of(choice_.metric, row); }
    bool has_metric(const Record& row) const { return std::isfinite(metric(row)); }
    bool better(const Record& a, const Record& b) const {
        return less_is_better(choice_.metric) ? metric(a) < metric(b) : metric(a) > metric(b);
    }

    PlotScale axis_scale(const SweepAxis& axis) const {
        PlotScale scale = scale_of(axis);
        const std::vector<double> values = values_on(axis);
        scale.log = values.front() > 0 && values.back() >= 8 * values.front() && !is_share(axis.kind);
        scale.powers_of_two = are_powers_of_two(values);
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

    using Group = std::pair<std::string, std::vector<PlotRow>>;

    /// Rows that have the metric by name, in the order in which names appear.
    template <class Name>
    std::vector<Group> group_by(Name name) const {
        std::vector<Group> groups;
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            if (!has_metric(rows_[i])) continue;
            const std::string of = name(rows_[i]);
            auto known = std::ranges::find(groups, of, &Group::first);
            if (known == groups.end()) known = groups.insert(known, {of, {}});
            known->second.push_back(static_cast<PlotRow>(i));
        }
        return groups;
    }

    bool varies_among_shown(const SweepAxis& axis) const {
        std::set<double> values;
        for (const Record& row : rows_)
            if (const double value = value_on(axis, row); has_metric(row) && std::isfinite(value)) values.insert(value);
        return values.size() > 1;
    }

    struct Lines {
        std::vector<Group> groups;
        std::string title;      ///< of what, and how the axes besides x are dealt with
        bool by_method = true;  ///< each method's lines have its colour; else those of their values
        bool of_all = true;     ///< methods, not of the chosen one alone
    };

    /// A line for each method and point of the axes besides x while these are few. Beyond, those of the chosen method
    /// where the work differs from line to line, and the best over the others where only the launch does.
    Lines lines_over(const SweepAxis& x) const {
        std::vector<SweepAxis> others;
        for (const SweepAxis& axis : axes_)
            if (!(axis == x) && varies_among_shown(axis)) others.push_back(axis);
        const std::vector<Group> methods = group_by([](const Record& row) { return row.method; });
        if (others.empty()) return {methods, ""};
        const auto by_value = [&](const Group& group) { return value_on(others[0], rows_[group.second.front()]); };
        // One axis is named in the title, more in each line.
        const bool one = others.size() == 1;
        const auto point = [&](const Record& row) {
            return one ? plot_words(scale_of(others[0]), value_on(others[0], row)) : describe_point(others, row);
        };
        const std::string each = one ? ", by " + name_of(others[0]) : std::string();
        auto all = group_by([&](const Record& row) {
            return methods.size() == 1 ? point(row) : row.method + ", " + describe_point(others, row);
        });
        if (one && methods.size() == 1) std::ranges::stable_sort(all, {}, by_value);
        if (all.size() <= max_lines) return {all, methods.size() == 1 ? each : "", methods.size() > 1};
        auto mine = group_by([&](const Record& row) { return row.method == choice_.method ? point(row) : ""; });
        std::erase_if(mine, [](const Group& group) { return group.first.empty(); });
        const bool same_work = std::ranges::all_of(others, [](const SweepAxis& axis) { return is_launch(axis.kind); });
        if (one) std::ranges::stable_sort(mine, {}, by_value);
        if (mine.size() <= max_lines && !same_work) return {mine, " of " + choice_.method + each, false, false};
        return {methods, over_others(x)};
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

    PlotSeries series_of(const SweepAxis& x, const std::string& name, const std::vector<PlotRow>& line) const {
        PlotSeries series;
        series.name = name;
        if (!line.empty()) series.color = colour_of(rows_[line.front()].method);
        series.vendor = !line.empty() && is_vendors(rows_[line.front()]);
        if (series.vendor) series.shape = mark_of(rows_[line.front()].method);
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

    std::string over_others(const SweepAxis& x) const {
        std::string names;
        for (const SweepAxis& axis : axes_)
            if (!(axis == x) && varies_among_shown(axis)) names += (names.empty() ? "" : ", ") + name_of(axis);
        return names.empty() ? names : ", the best over " + names;
    }

    /// Adds the rejections of the plot's one method, or of all.
    void add_rejections(const SweepAxis& x, Plot& plot, bool all_methods) const {
        std::set<std::pair<double, std::string>> said;
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            const Record& row = rows_[i];
            // On the simulated GPU a row may be right and not counted.
            const bool fine = row.status == Status::passed && !count_of(choice_.metric);
            if (has_metric(row) || fine || row.status == Status::cancelled) continue;
            if (!all_methods && row.method != choice_.method) continue;
            const double at = value_on(x, row);
            if (!std::isfinite(at) || !said.emplace(at, row.method).second) continue;
            plot.rejected.push_back(
                {at, row.method + ": " + why_not_counted(row), static_cast<PlotRow>(i), row.method});
        }
    }

    SweepPlot lines() const;
    SweepPlot map() const;
    SweepPlot occupancy() const;
    SweepPlot parallel() const;
    const SweepRows& sweep_;
    const std::vector<Record>& rows_;
    const SweepPlotChoice& choice_;
    const std::vector<SweepAxis> axes_;
    const std::optional<BestPoint> best_;
};

}  // namespace convscope::app
