// The roofline: rates over intensities, against what the device's arithmetic and memory allow. Work that is not
// executed does not count unless the dense rate is requested, which is no rate of the device.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "app/compare/compare_pages.h"
#include "app/compare/recorded_ceilings.h"
#include "kernels/core/error.h"
#include "kernels/core/format_units.h"
#include "kernels/measure/roofline.h"

namespace convscope::app {
namespace {

constexpr std::size_t max_points = 20000;

/// The FLOPs of a run, executed or dense, over the bytes of x, w and y, once each.
struct Work {
    double flops = 0, bytes = 0, time_us = 0;
    double intensity() const { return flops / bytes; }
    double gflops() const { return flops / time_us / 1e3; }
    bool known() const { return bytes > 0 && flops > 0; }
};

Work work_of(const ComparePageInput& in, std::size_t row) {
    const CompareColumns& c = compare_columns();
    Work work;
    work.time_us = in.data.number(row, c.time);
    work.bytes = in.data.number(row, c.gb_per_s) * work.time_us * 1e3;
    work.flops = in.data.number(row, in.set.dense ? c.flops_dense : c.flops_executed);
    return work;
}

/// A roof, from the place on the memory's slope that it begins at.
struct Roof {
    std::string units, source;
    double tflops = 0;
    bool dashed = false;
};

void add_line(const std::string& units, const std::string& source, const std::string& rate, std::vector<double> x,
              std::vector<double> y, bool dashed, Plot& plot) {
    PlotSeries line;
    line.name = fmt::format("{}, {}", units, source);
    line.note = fmt::format("{}: {}", line.name, rate);
    line.brief_note = fmt::format("{}: {}", units, rate);
    line.neutral = true;
    line.dashed = dashed;
    line.marks = PlotSeries::Marks::line;
    line.x = std::move(x);
    line.y = std::move(y);
    plot.series.push_back(std::move(line));
}

/// All roofs lie on one slope: on two logarithmic axes a straight line.
void add_roofs(const std::vector<Roof>& roofs, double gb_per_s, const std::string& memory, double from, double to,
               Plot& plot) {
    double first = INFINITY, last = 0;
    for (const Roof& roof : roofs) {
        const double ridge = roof.tflops * 1e3 / gb_per_s;
        first = std::min(first, ridge);
        last = std::max(last, ridge);
    }
    const double low = std::min(from, first / 2), high = std::max(to, last * 2);
    plot.x.limits = AxisRange{low, high};  // a roof that ends before the edge would look like a limit
    if (last > 0)
        add_line("memory", memory, fmt::format("{:.0f} GB/s", gb_per_s), {low, last}, {low * gb_per_s, last * gb_per_s},
                 false, plot);
    for (const Roof& roof : roofs)
        add_line(roof.units, roof.source, format_flop(1e12 * roof.tflops) + "/s", {roof.tflops * 1e3 / gb_per_s, high},
                 {roof.tflops * 1e3, roof.tflops * 1e3}, roof.dashed, plot);
}

const char* units_of(std::string_view arithmetic) {
    if (arithmetic == "fp32") return "FP32 cores";
    if (arithmetic == "tf32") return "TF32 tensor cores";
    if (arithmetic == "fp16") return "FP16 tensor cores";
    if (arithmetic == "fp32_by_3xtf32") return "FP32 by 3 TF32 products";
    if (arithmetic == "fp32_by_3xfp16") return "FP32 by 3 FP16 products";
    return "other units";
}

/// One roof for each arithmetic among the rows: of the FP32 cores as measured where that is recorded, else the
/// datasheet's. The memory's slope is the same for all.
void add_ceilings(const Record& record, const std::set<std::string>& arithmetics, double from, double to, Plot& plot) {
    const DeviceModel* model = model_of(record);
    const std::optional<Ceilings> measured = recorded_ceilings(ceilings_file(), record.device_name);
    if (!model && !measured) return;
    const double gb_per_s = measured ? measured->copy_gb_per_s : model->memory_gb_per_s;
    std::vector<Roof> roofs;
    for (const std::string& arithmetic : arithmetics) {
        const std::string units = units_of(arithmetic);
        if (measured && arithmetic == "fp32")
            roofs.push_back({units, "measured", measured->fp32_tflops, false});
        else if (const auto peak = model ? peak_tflops(*model, arithmetic) : std::nullopt)
            roofs.push_back({units, "datasheet", *peak, arithmetic != "fp32"});
    }
    add_roofs(roofs, gb_per_s, measured ? "measured" : "datasheet", from, to, plot);
}

/// The peak of the row's own arithmetic in GFLOP/s, by the datasheet of its device.
std::optional<double> peak_gflops(const ComparePageInput& in, std::size_t row) {
    const DeviceModel* model = find_device_model(in.data.text(row, compare_columns().device_name));
    const auto tflops = model ? peak_tflops(*model, in.data.text(row, compare_columns().arithmetic)) : std::nullopt;
    return tflops ? std::optional(1e3 * *tflops) : std::nullopt;
}

/// The largest share of its own arithmetic's peak that a method reaches, then that of each: "ecr4 61 % (FP32 cores)".
void add_shares(const std::map<std::string, std::pair<double, std::string>>& best, CompareResult& result) {
    if (best.empty()) return;
    const auto most = std::ranges::max_element(best, {}, [](const auto& each) -> double { return each.second.first; });
    result.findings.push_back({most->first + " reaches ", format_percent(most->second.first),
                               fmt::format(" of the datasheet's peak of its own arithmetic ({}).", most->second.second),
                               most->second.first});
    std::string text;
    for (const auto& [method, share] : best)
        text += fmt::format("{}{} {:.0f} % ({})", text.empty() ? "" : ", ", method, 100 * share.first, share.second);
    result.findings.push_back(lead_of("Largest share of each: " + text + ".", {}));
}

}  // namespace

void roofline_page(const ComparePageInput& in, CompareResult& result) {
    FixedRows fixed = fix_columns(in, in.passed(), {"layer"}, Otherwise::show_all);
    const RowSet& rows = fixed.rows;
    Plot plot;
    plot.x = {in.set.dense ? "dense work per byte of x, w and y" : "work executed per byte of x, w and y",
              "FLOP/B",
              true,
              false,
              {},
              {}};
    plot.y = {in.set.dense ? "dense rate" : "rate of the work executed", "GFLOP/s", true, false, {}, {}};
    plot.subtitle = in.set.dense ? "Skipped multiply-adds counted too" : "Multiply-adds that were executed";
    plot.empty_hint = "No row of this scope has a time and says what it executed.";
    std::map<std::string, std::size_t> place;
    for (const std::string& method : methods_in(in, rows)) {
        place[method] = plot.series.size();
        plot.series.push_back(in.series(method));
        plot.series.back().marks = PlotSeries::Marks::dots;
    }
    double from = INFINITY, to = 0;
    std::optional<std::size_t> first;
    std::set<std::string> arithmetics;
    std::map<std::string, std::pair<double, std::string>> best;  // share of the roof and its name, by method
    const std::size_t every = rows.count() / max_points + 1;
    std::size_t seen = 0, unknown = 0;
    rows.each([&](std::size_t row) {
        if (seen++ % every != 0) return;
        const Work work = work_of(in, row);
        if (!work.known()) {
            ++unknown;
            return;
        }
        const std::string method = in.method_of(row);
        PlotSeries& series = plot.series[place[method]];
        series.x.push_back(work.intensity());
        series.y.push_back(work.gflops());
        series.row.push_back(static_cast<PlotRow>(row));
        from = std::min(from, work.intensity());
        to = std::max(to, work.intensity());
        const std::string arithmetic(in.data.text(row, compare_columns().arithmetic));
        if (!arithmetic.empty()) arithmetics.insert(arithmetic);
        if (!first) first = row;
        if (const auto peak = in.set.dense ? std::nullopt : peak_gflops(in, row)) {
            auto& share = best[method];
            share = std::max(share, {work.gflops() / *peak, units_of(arithmetic)});
        }
    });
    std::erase_if(plot.series, [](const PlotSeries& series) { return series.x.empty(); });
    if (first) {
        try {
            add_ceilings(in.data.table.record(*first), arithmetics, from / 2, to * 2, plot);
        } catch (const Error&) {  // a row of another program: its dots are shown without ceilings
        }
    }
    plot.command = command_for(in.data, rows);
    add_shares(best, result);
    const auto say = [&result](const std::string& text) { result.findings.push_back(lead_of(text, {})); };
    say(in.set.dense ? "Skipped multiply-adds count too: this compares methods, and is no rate of the device."
                     : "Only multiply-adds that were executed count: skipping zeros raises no rate.");
    if (unknown > 0)
        say(fmt::format(
            "Not drawn, since they do not say what they executed: {} rows. Only a library knows, or they were recorded "
            "before convscope counted it.",
            unknown * every));
    if (every > 1) say(fmt::format("One row in {} is drawn.", every));
    add_plot(result, std::move(plot), std::move(fixed.columns));
}

}  // namespace convscope::app
