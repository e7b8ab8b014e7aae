// The roofline: rates over intensities, against what the device's arithmetic and memory allow. Work that is skipped is
// not counted unless a person asks for the dense rate, which is no rate of the device.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/compare/compare_pages.h"
#include "app/compare/recorded_ceilings.h"
#include "kernels/core/error.h"
#include "kernels/measure/roofline.h"

namespace convscope::app {
namespace {

constexpr std::size_t most_points = 20000;

/// Bytes of x, w and y, once each, of a shape.
struct Work {
    double flops = 0, bytes = 0, time_us = 0;
    double intensity() const { return flops / bytes; }
    double gflops() const { return flops / time_us / 1e3; }
};

Work work_of(const ComparePageInput& in, std::size_t row, bool skips) {
    const CompareColumns& c = compare_columns();
    Work work;
    work.time_us = in.data.number(row, c.time);
    work.bytes = in.data.number(row, c.gb_per_s) * work.time_us * 1e3;
    const double effective = in.data.number(row, c.flops_effective);
    work.flops = skips && !in.set.dense && !std::isnan(effective) ? effective : in.data.number(row, c.flops_dense);
    return work;
}

PlotSeries ceiling(const std::string& name, std::vector<double> x, std::vector<double> y) {
    PlotSeries series;
    series.name = name;
    series.neutral = true;
    series.marks = PlotSeries::Marks::line;
    series.x = std::move(x);
    series.y = std::move(y);
    return series;
}

/// On two logarithmic axes the memory's slope is a straight line.
void add_roof(const std::string& name, double tflops, double gb_per_s, double from, double to, Plot& plot) {
    const double ridge = tflops * 1e3 / gb_per_s, low = std::min(from, ridge / 2);
    plot.series.push_back(
        ceiling(name, {low, ridge, std::max(to, ridge * 2)}, {low * gb_per_s, tflops * 1e3, tflops * 1e3}));
    plot.notes.push_back({ridge, tflops * 1e3, fmt::format("{}: {:.0f} TFLOP/s", name, tflops), false});
}

/// Measured where that is recorded, the datasheet's otherwise; for TF32 there is a datasheet only.
void add_ceilings(const Record& record, double from, double to, Plot& plot) {
    const DeviceModel* model = model_of(record);
    const std::optional<RecordedCeilings> measured = recorded_ceilings(ceilings_file(), record.device_name);
    double gb_per_s = 0;
    if (measured) {
        gb_per_s = measured->copy_gb_per_s;
        add_roof("measured, FP32", measured->fp32_tflops, gb_per_s, from, to, plot);
    } else if (model) {
        gb_per_s = model->memory_gb_per_s;
        add_roof(model->name + " datasheet, FP32", model->fp32_tflops, gb_per_s, from, to, plot);
    }
    const bool tf32 = std::ranges::any_of(
        plot.series, [](const PlotSeries& series) { return series.name.find("tf32") != std::string::npos; });
    const std::optional<double> peak = model ? peak_tflops(*model, "tf32") : std::nullopt;
    if (tf32 && peak) {
        add_roof(model->name + " datasheet, TF32", *peak, model->memory_gb_per_s, from, to, plot);
        plot.series.back().dashed = true;
    }
    if (gb_per_s > 0)
        plot.notes.push_back({from * 1.2, from * 1.2 * gb_per_s, fmt::format("{:.0f} GB/s", gb_per_s), false});
}

}  // namespace

void roofline_page(const ComparePageInput& in, CompareResult& result) {
    const RowSet rows = in.timed();
    Plot plot;
    plot.x = {in.set.dense ? "dense work per byte of x, w and y" : "work done per byte of x, w and y",
              "FLOP/B",
              true,
              false,
              {},
              {}};
    plot.y = {in.set.dense ? "dense rate" : "rate of the work done", "GFLOP/s", true, false, {}, {}};
    plot.subtitle = fmt::format("scope {}{}", in.set.scope, in.set.dense ? ", skipped multiply-adds counted too" : "");
    plot.empty_hint = "No row of this scope has a time and a rate.";
    std::map<std::string, std::size_t> place;
    for (const std::string& method : methods_in(in, rows)) {
        place[method] = plot.series.size();
        plot.series.push_back(in.series(method));
        plot.series.back().marks = PlotSeries::Marks::dots;
    }
    double from = INFINITY, to = 0;
    std::optional<std::size_t> first;
    std::map<std::string, bool, std::less<>> skips;
    const std::size_t every = rows.count() / most_points + 1;
    std::size_t seen = 0;
    rows.each([&](std::size_t row) {
        if (seen++ % every != 0) return;
        const std::string family(in.data.text(row, compare_columns().family));
        const auto [known, fresh] = skips.try_emplace(family, false);
        if (fresh) {
            Record record;
            record.family = family;
            record.method = in.method_of(row);
            known->second = skips_zeros(record);
        }
        const Work work = work_of(in, row, known->second);
        if (!(work.bytes > 0) || !(work.flops > 0)) return;
        PlotSeries& series = plot.series[place[in.method_of(row)]];
        series.x.push_back(work.intensity());
        series.y.push_back(work.gflops());
        series.row.push_back(static_cast<PlotRow>(row));
        from = std::min(from, work.intensity());
        to = std::max(to, work.intensity());
        if (!first) first = row;
    });
    std::erase_if(plot.series, [](const PlotSeries& series) { return series.x.empty(); });
    if (first) {
        try {
            add_ceilings(in.data.table.record(*first), from / 2, to * 2, plot);
        } catch (const Error&) {  // a row of another program: its dots are shown without ceilings
        }
    }
    plot.command = command_for(in.data, rows);
    result.findings.push_back(
        in.set.dense ? "Skipped multiply-adds count too: this compares methods, and is no rate of the device."
                     : "Only multiply-adds that were done count: skipping zeros raises no rate.");
    if (every > 1) result.findings.push_back(fmt::format("One row in {} is drawn.", every));
    result.plots.push_back(std::move(plot));
}

}  // namespace convscope::app
