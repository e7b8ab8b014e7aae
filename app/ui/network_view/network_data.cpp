#include "app/ui/network_view/network_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/compare/method_colours.h"
#include "app/session/command_lines.h"
#include "app/session/method_choice.h"
#include "kernels/core/format_units.h"
#include "kernels/measure/network_summary.h"
#include "kernels/measure/sample_counts.h"
#include "kernels/records/csv_text.h"

namespace convscope::app {
namespace {

/// In the place of a time, where there is no clock.
constexpr const char* verified = "verified";

/// Why a row has no time.
std::string reason_of(const Record& row) {
    return is_too_busy(row) ? row.status_reason : brief_reason(row);
}

NetworkBar bar_of(const Record& row, const std::vector<Record>& layer, const Registry& registry, DeviceKind kind) {
    NetworkBar bar;
    if (row.status != Status::passed) {
        bar.reason = reason_of(row);
        return bar;
    }
    bar.time_us = row.time_median_us;
    bar.q1_us = row.time_q1_us;
    bar.q3_us = row.time_q3_us;
    // The simulated GPU has no clock.
    if (!bar.time_us) bar.reason = verified;
    bar.sure = row.noise_pct.has_value();
    bar.speedup = speedup_of(row, layer);
    if (bar.time_us) bar.no_ratio = why_no_speedup(row, layer);
    // Only a choice among our methods is shown; a vendor's library chooses among algorithms of its own.
    if (registry.find(row.choice, kind)) bar.chosen = row.choice;
    return bar;
}

}  // namespace

NetworkLayer describe_layer(const Preset& preset) {
    NetworkLayer layer{layer_name(preset),   layer_text(preset.spec.shape),
                       preset.spec.sparsity, to_string(preset.sparsity_from),
                       preset.times,         {}};
    layer.own_weights = !preset.spec.weights_path.empty();
    return layer;
}

const NetworkProgress* measured_network(const Session& session, const LiveSnapshot& snapshot) {
    if (!snapshot.network || !snapshot.network->plan) return nullptr;
    const NetworkPlan& plan = *snapshot.network->plan;
    const Network* const chosen = chosen_network(session);
    // The same model may have run on another input.
    const bool same = chosen && plan.network.name == chosen->name && plan.network.head.title == chosen->head.title &&
                      plan.chain == session.network.chain &&
                      plan.network.layers.front().spec.shape.n == session.network.n &&
                      snapshot.network->device == session.choices.device &&
                      plan.options.scope == session.choices.scope && plan.options.cache == session.choices.cache;
    return same ? &*snapshot.network : nullptr;
}

NetworkData network_data(const Session& session, const Registry& registry, const NetworkProgress* measured) {
    NetworkData data;
    const Network* network = chosen_network(session);
    if (!network) return data;
    data.title = network->head.title;
    const DeviceKind kind = device_kind(session, registry);
    const std::vector<std::string> ids = measured ? measured->plan->methods : chosen_network_methods(session, registry);
    for (const std::string& id : ids) {
        const Method* method = registry.find(id, kind);
        data.methods.push_back({id, method && method->info().vendor});
    }
    for (std::size_t i = 0; i < network->layers.size(); ++i) {
        const Preset& preset = network->layers[i];
        NetworkLayer layer = describe_layer(preset);
        if (shows_model(session.network)) layer.weight_zeros = session.model.weight_zeros[i];
        // In a chain a layer's input, and so its zeros, is known once the layer before has run.
        if (session.network.chain) {
            layer.from = "chain";
            layer.zeros.reset();
        }
        if (measured && i < measured->layers->size()) {
            const std::vector<Record>& rows = (*measured->layers)[i].rows;
            for (const Record& row : rows) {
                layer.bars.push_back(bar_of(row, rows, registry, kind));
                layer.zeros = row.sparsity_measured;
                layer.weight_zeros = row.weight_sparsity_measured;
                if (!row.vendor_method.empty() && data.baseline.empty()) data.baseline = vendor_baseline(row);
            }
        }
        data.layers.push_back(std::move(layer));
    }
    data.command = network_command(session, registry);
    const char* const does = kind == DeviceKind::sim ? "check" : "time";
    data.empty_hint = ids.empty() ? "Tick a method, then press Space"
                                  : fmt::format("Press Space to {} {}", does, fmt::join(ids, ", "));
    if (measured && measured->running) {
        data.running = static_cast<PlotRow>(measured->layers->size());
        data.phase = measured->phase;
    }
    return data;
}

std::string why_no_ratio(const NetworkData& data) {
    bool timed = false, ran = false;
    for (const NetworkLayer& layer : data.layers) {
        for (std::size_t i = 0; i < layer.bars.size(); ++i) {
            const NetworkBar& bar = layer.bars[i];
            const std::string& reason = bar.time_us ? bar.no_ratio : bar.reason;
            if (!reason.empty() && reason != verified)
                return fmt::format("{}, {}: {}", layer.name, data.methods.at(i).id, reason);
            timed |= bar.time_us.has_value();
            ran = true;
        }
    }
    if (timed) return "No ratio: tick a vendor's method too";
    return ran ? "All results are verified; the simulated GPU has no clock" : "";
}

Plot network_plot(const NetworkData& data) {
    Plot plot;
    plot.title = data.title;
    plot.x.name = "layer";
    plot.y = {"time", "us"};
    plot.command = data.command;
    plot.empty_hint = data.empty_hint;
    plot.named_elsewhere = true;
    plot.rows = {"layer, zeros", {}, {}, data.running, data.phase, "network row", "Load this layer into the panels"};
    for (const NetworkMethod& method : data.methods) {
        PlotSeries& series = plot.series.emplace_back();
        series.name = method.id;
        series.color = colour_of(method.id);
        series.vendor = method.vendor;
        series.marks = PlotSeries::Marks::bars;
        if (!method.vendor) series.result_name = data.baseline.empty() ? method.id : method.id + " vs " + data.baseline;
    }
    for (const NetworkLayer& layer : data.layers) {
        std::string zeros = layer.zeros ? fmt::format("{} {}", format_percent(*layer.zeros), layer.from) : layer.from;
        // Drawn weights have none.
        if (layer.weight_zeros && (layer.own_weights || *layer.weight_zeros > 0))
            zeros += fmt::format(", {} in w", format_percent(*layer.weight_zeros));
        if (layer.times != 1) zeros += fmt::format(", {} times", layer.times);
        plot.rows->note.push_back(std::move(zeros));
        plot.rows->detail.push_back(layer.shape);
        for (std::size_t i = 0; i < std::min(layer.bars.size(), plot.series.size()); ++i) {
            const NetworkBar& bar = layer.bars[i];
            PlotSeries& series = plot.series[i];
            series.x.push_back(static_cast<double>(plot.x.names.size()));
            series.y.push_back(bar.time_us.value_or(NAN));
            series.low.push_back(bar.q1_us.value_or(NAN));
            series.high.push_back(bar.q3_us.value_or(NAN));
            series.reason.push_back(bar.reason);
            series.unsure.push_back(bar.time_us && !bar.sure);
            std::string result = bar.chosen;
            const std::string ratio = bar.speedup            ? fmt::format("{:.2f}x", *bar.speedup)
                                      : bar.no_ratio.empty() ? ""
                                                             : "no ratio: " + bar.no_ratio;
            if (!ratio.empty()) result += (result.empty() ? "" : "  ") + ratio;
            series.result.push_back(std::move(result));
        }
        plot.x.names.push_back(layer.name);
    }
    return plot;
}

std::string network_csv(const NetworkData& data) {
    const auto number = [](const std::optional<double>& value) {
        return value ? fmt::format("{}", *value) : std::string();
    };
    std::string text =
        "layer,shape,zeros,zeros_from,times,method,chosen,time_us,speedup_vs_baseline,reason,"
        "zeros_in_w\r\n";
    for (const NetworkLayer& layer : data.layers)
        for (std::size_t i = 0; i < std::min(layer.bars.size(), data.methods.size()); ++i) {
            const NetworkBar& bar = layer.bars[i];
            text += fmt::format("{},{},{},{},{},{},{},{},{},{},{}\r\n", csv_quote(layer.name), csv_quote(layer.shape),
                                number(layer.zeros), csv_quote(layer.from), layer.times, csv_quote(data.methods[i].id),
                                csv_quote(bar.chosen), number(bar.time_us), number(bar.speedup),
                                csv_quote(bar.no_ratio.empty() ? bar.reason : "no ratio: " + bar.no_ratio),
                                number(layer.weight_zeros));
        }
    return text;
}

std::string describe_progress(const NetworkProgress& progress) {
    std::string text = fmt::format("{} of {} layers", progress.layers->size(), progress.plan->network.layers.size());
    if (progress.running && progress.seconds_left) {
        const double left = *progress.seconds_left;
        text += left < 90 ? fmt::format(", {:.0f} s left", left) : fmt::format(", {:.0f} min left", left / 60);
    }
    if (progress.running && !progress.phase.empty()) text += ": " + progress.phase;
    return text;
}

}  // namespace convscope::app
