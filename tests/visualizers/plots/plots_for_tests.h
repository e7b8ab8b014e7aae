// Plots of each kind, small enough to check by hand.
#pragma once

#include <cmath>

#include "kernels/core/format_units.h"
#include "visualizers/plots/plot.h"
#include "visualizers/plots/plot_layout.h"
#include "visualizers/theme/theme.h"

namespace convscope {

inline const PlotLook look_for_test{&dark_theme(), 12, 1};

inline Plot lines_for_test() {
    Plot plot;
    plot.x = {"sparsity", "%", false, false, {}, {}};
    plot.y = {"time", "us", true, false, {}, {}};
    PlotSeries ecr, vendor;
    ecr.name = "ecr3";
    vendor.name = "onednn";
    vendor.vendor = true;
    for (int i = 0; i <= 9; ++i) {
        ecr.x.push_back(i * 10);
        ecr.y.push_back(4000.0 - 380 * i);
        ecr.low.push_back(3900.0 - 380 * i);
        ecr.high.push_back(4200.0 - 370 * i);
        ecr.row.push_back(static_cast<PlotRow>(i));
        vendor.x.push_back(i * 10);
        vendor.y.push_back(1500);
        vendor.row.push_back(static_cast<PlotRow>(10 + i));
    }
    ecr.y[4] = NAN;  // a gap
    plot.series = {ecr, vendor};
    plot.rejected = {{40, "The block of 2048 threads is larger than the 1024 that a GPU takes.", 4}};
    plot.best = 9;
    plot.tied = {8};
    plot.command = "convscope sweep --h 56 --r 3 --sparsity 0:0.9:0.1";
    return plot;
}

inline Plot cells_for_test() {
    Plot plot;
    plot.x = {"block x", "", false, false, {"32", "64", "128", "256"}, {}};
    plot.y = {"block y", "", false, false, {"1", "2", "4", "8"}, {}};
    plot.cells.emplace();
    plot.cells->value = {"time", "us", true, false, {}, {}};
    for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 4; ++x) {
            PlotCell cell{10.0 + 7 * x * y, "", "", "", static_cast<PlotRow>(4 * y + x)};
            if ((32 << x) * (1 << y) > 1024) {
                cell.value = NAN;
                cell.reason = "More than 1024 threads in a block.";
            }
            plot.cells->cells.push_back(cell);
        }
    plot.cells->cells[1] = {NAN, "", "", "", no_row};  // not measured
    plot.best = 0;
    plot.tied = {4, 8};
    return plot;
}

/// Adds a strip: a median in its quartiles, and the samples that it is of.
inline void add_strip(Plot& plot, const std::string& name, int color, double us, const std::vector<double>& samples,
                      bool vendor = false) {
    const auto strip = static_cast<double>(plot.x.names.size());
    plot.x.names.push_back(name);
    PlotSeries series;
    series.name = name, series.color = color, series.vendor = vendor;
    series.marks = PlotSeries::Marks::level;
    series.x = {strip - 0.4, strip + 0.4}, series.y = {us, us};
    series.end_words = format_time_us(us);
    series.low = {0.97 * us, 0.97 * us}, series.high = {1.03 * us, 1.03 * us};
    plot.series.push_back(series);
    series.marks = PlotSeries::Marks::samples;
    series.outliers = 1.34 * us;
    series.end_words.clear();
    series.x.clear(), series.low.clear(), series.high.clear();
    series.y = samples;
    for (std::size_t i = 0; i < samples.size(); ++i)
        series.x.push_back(strip - 0.4 + 0.8 * static_cast<double>(i) / static_cast<double>(samples.size()));
    plot.series.push_back(std::move(series));
}

/// Two hundred samples of each of three methods, and what they come to.
inline Plot samples_for_test() {
    Plot plot;
    plot.strips = true;
    plot.x.name = "method";
    plot.y = {"time", "us", false, true, {}, {}, false, 8};
    plot.empty_hint = "Press Space";
    const auto samples = [](double us) {
        std::vector<double> times;
        for (int i = 0; i < 200; ++i) times.push_back(us * (1 + 0.05 * std::sin(i * 0.9) + (i % 37 == 0 ? 0.2 : 0)));
        return times;
    };
    add_strip(plot, "ecr1", 0, 4.2, samples(4.2));
    add_strip(plot, "pecr2", 2, 6.1, samples(6.1));
    add_strip(plot, "cudnn", 0, 9.6, samples(9.6), true);
    return plot;
}

/// Three layers; the last is not measured, and one method ran out of time on the second.
inline Plot rows_for_test() {
    Plot plot;
    plot.x = {"layer", "", false, false, {"conv1", "conv2+pool", "conv3"}};
    plot.y = {"time", "us"};
    plot.empty_hint = "Press Space";
    plot.named_elsewhere = true;
    plot.rows = {"layer, and zeros of its input",
                 {"0 % image", "85 % ramp, 3 times", "90 % printed"},
                 {},
                 {},
                 "",
                 "network row",
                 "Load it"};
    plot.rows->detail = {"3x8x8 * 4x3x3", "4x8x8 * \"4\"x3x3, pool 2", "4x4x4 * 4x3x3"};
    PlotSeries vendor, ours;
    vendor.name = "onednn", vendor.vendor = true;
    ours.name = "ocpa", ours.color = 1;
    vendor.marks = ours.marks = PlotSeries::Marks::bars;
    vendor.x = ours.x = {0, 1};
    vendor.y = {100, 400}, vendor.high = {110, 440};
    ours.y = {200, NAN}, ours.reason = {"", "timeout"}, ours.result = {"ecr3  0.50x", ""};
    ours.result_name = "ocpa vs onednn";
    plot.series = {vendor, ours};
    return plot;
}

inline Plot parallel_for_test() {
    Plot plot;
    plot.parallel.emplace();
    PlotParallel& lines = *plot.parallel;
    lines.axes = {{"tile", "", false, false, {"8", "16", "32"}, {}},
                  {"unroll", "", false, false, {"1", "2", "4"}, {}},
                  {"occupancy", "%", false, false, {}, {}},
                  {"time", "us", true, false, {}, {}}};
    lines.values.resize(4);
    for (int i = 0; i < 27; ++i) {
        lines.values[0].push_back(i % 3);
        lines.values[1].push_back(i / 3 % 3);
        lines.values[2].push_back(20.0 + 25 * (i / 9) + 3 * (i % 3));
        lines.values[3].push_back(100.0 / (1 + i % 3) + 10 * (i / 9));
        lines.row.push_back(static_cast<PlotRow>(i));
    }
    lines.colour_axis = 3;
    plot.best = 2;
    return plot;
}

}  // namespace convscope
