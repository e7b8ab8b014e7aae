#include "app/cli/network_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "app/cli/table.h"
#include "kernels/core/format_units.h"
#include "kernels/measure/run_counts.h"

namespace convscope::cli {
namespace {

constexpr std::size_t zeros_width = 7, from_width = 8, weight_zeros_width = 10;

bool prunes(const NetworkPlan& plan) {
    return plan.network.layers.front().spec.weight_sparsity > 0;
}

/// Drawn weights have no zeros.
bool shows_weight_zeros(const NetworkPlan& plan) {
    return prunes(plan) || (!plan.chain && std::ranges::any_of(plan.network.layers, [](const Preset& layer) {
               return !layer.spec.weights_path.empty();
           }));
}

/// "zeros in w: 75 % of every layer's weights as requested, rows"; empty where none are requested.
std::string weight_zeros_text(const NetworkPlan& plan) {
    const WorkloadSpec& first = plan.network.layers.front().spec;
    if (!prunes(plan)) return "";
    // A layer of fewer than four channels has another share.
    if (first.weight_pattern == WeightPattern::two_of_four)
        return "zeros in w: of each four channels of every layer's weights at most two are left, 2:4\n";
    return fmt::format("zeros in w: {:.4g} % of every layer's weights as requested, {}\n", 100 * first.weight_sparsity,
                       to_string(first.weight_pattern));
}

/// Describes what is timed; the simulated GPU has no clock, and counts.
std::string how(const Device& device, const MeasureOptions& options) {
    if (device.info().kind == DeviceKind::sim) return "no clock: results are checked, and what a run costs is counted";
    return fmt::format("scope {}, cache {}", to_string(options.scope), to_string(options.cache));
}

std::string sparsity_origin(const NetworkPlan& plan) {
    if (plan.chain)
        return "each layer's input is the output of the one before it, with weights drawn by He's rule: zeros arise by "
               "themselves";
    return zeros_text(plan.network);
}

/// The seed where something is drawn from it: a model's files hold x and w.
std::string data_text(const NetworkPlan& plan) {
    const WorkloadSpec& first = plan.network.layers.front().spec;
    const std::string data = fmt::format("{} data", plan.chain ? "chained" : to_string(first.source));
    const bool drawn = plan.chain || first.source != Source::file || first.weights_path.empty();
    return drawn ? fmt::format("{}, seed {}", data, first.seed) : data;
}

}  // namespace

NetworkTable::NetworkTable(const Registry& registry, const Device& device, const NetworkPlan& plan)
    : registry_(registry), device_(device), plan_(plan) {}

std::string NetworkTable::heading() const {
    const Preset& first = plan_.network.layers.front();
    const DeviceInfo& device = device_.info();
    std::string text = fmt::format("{}: {}, batch {}, {}\nsparsity: {}\n{}{} ({}), {}\n\n", plan_.network.head.title,
                                   counted(plan_.network.layers.size(), "layer"), first.spec.shape.n, data_text(plan_),
                                   sparsity_origin(plan_), weight_zeros_text(plan_), device.id, device.name,
                                   how(device_, plan_.options));
    std::string columns = fmt::format("{:<{}}  {:<{}}  {:>{}}  {:<{}}", "layer", name_width(), "shape", shape_width(),
                                      "zeros", zeros_width, "from", from_width);
    if (shows_weight_zeros(plan_)) columns += fmt::format("  {:>{}}", "zeros in w", weight_zeros_width);
    if (repeats()) columns += "  times";
    for (const std::string& method : plan_.methods) columns += fmt::format("  {:>{}}", method, method_width(method));
    return text + columns + "\n";
}

std::string NetworkTable::line(std::size_t layer, const std::vector<Record>& rows) const {
    const Preset& preset = plan_.network.layers[layer];
    const double zeros = rows.empty() ? preset.spec.sparsity : rows.front().sparsity_measured;
    std::string text = fmt::format("{:<{}}  {:<{}}  {:>{}}  {:<{}}", layer_name(preset), name_width(),
                                   layer_text(preset.spec.shape), shape_width(), fmt::format("{:.1f} %", 100 * zeros),
                                   zeros_width, plan_.chain ? "chain" : to_string(preset.sparsity_from), from_width);
    if (shows_weight_zeros(plan_)) {
        const std::optional<double> measured = rows.empty() ? std::nullopt : rows.front().weight_sparsity_measured;
        text += fmt::format("  {:>{}}", measured ? fmt::format("{:.1f} %", 100 * *measured) : "-", weight_zeros_width);
    }
    if (repeats()) text += fmt::format("  {:>5}", preset.times);
    for (const Record& row : rows) text += fmt::format("  {:>{}}", cell(row, rows), method_width(row.method));
    return text + "\n";
}

/// "ecr3 4.21 ms 0.85x": what the method chose where that is one of ours, its time, and how often as fast as the
/// baseline.
std::string NetworkTable::cell(const Record& row, const std::vector<Record>& layer) const {
    if (row.status != Status::passed) return brief_reason(row);
    const bool chose = !row.choice.empty() && registry_.find(row.choice, device_.info().kind);
    std::string text = chose ? row.choice + "  " : "";
    if (!row.time_median_us) return text + "verified";
    text += time_text(*row.time_median_us);
    if (const auto speedup = speedup_of(row, layer)) text += fmt::format("  {:>5}", fmt::format("{:.2f}x", *speedup));
    return text;
}

std::string NetworkTable::totals(const std::vector<LayerRows>& layers) const {
    const std::vector<MethodTotal> totals = network_totals(layers);
    const std::size_t all = plan_.network.layers.size();
    const bool counts = device_.info().kind == DeviceKind::sim;
    std::string text = "\n" + (counts ? count_sums(layers) : time_sums(totals)) + "\n";
    for (const MethodTotal& total : totals)
        if (total.compared > 0) text += describe(total, all) + "\n";
    const bool none = std::none_of(totals.begin(), totals.end(), [](auto& total) { return total.compared > 0; });
    if (none) text += "No layer has the times of a method and of a vendor's, with intervals: nothing to compare.\n";

    // The same reason for many layers is said once.
    std::vector<std::pair<std::string, std::string>> reasons;  // of a method, its layers
    for (const LayerRows& layer : layers)
        for (const Record& row : layer.rows) {
            const bool passed = row.status == Status::passed, uncounted = counts && !has_counts(row),
                       unsure = !counts && !row.noise_pct;
            if (passed && !uncounted && !unsure) continue;
            const std::string what = !passed     ? brief_reason(row)
                                     : uncounted ? "not counted"
                                                 : "time without an interval";
            const std::string reason = fmt::format("{}: {} on", row.method, what);
            const std::string key =
                reason + "\n" +
                (uncounted          ? why_not_counted(row)
                 : passed && unsure ? "too few samples: the time and what is made of it are uncertain"
                                    : row.status_reason);
            auto same = std::find_if(reasons.begin(), reasons.end(), [&](auto& known) { return known.first == key; });
            if (same == reasons.end()) same = reasons.insert(reasons.end(), {key, ""});
            same->second += (same->second.empty() ? " " : ", ") + row.workload;
        }
    for (const auto& [key, where] : reasons) {
        const std::size_t line_end = key.find('\n');
        text += fmt::format("\n{}{}\n  {}\n", key.substr(0, line_end), where, key.substr(line_end + 1));
    }
    return text;
}

std::string NetworkTable::time_sums(const std::vector<MethodTotal>& totals) const {
    std::string text = "sum of the layers that each method ran\n";
    for (const MethodTotal& total : totals)
        text +=
            fmt::format("  {:<{}}  {:>9}  {} of {} layers\n", total.method, 12,
                        total.layers > 0 ? time_text(total.time_us) : "-", total.layers, plan_.network.layers.size());
    return text;
}

std::string NetworkTable::count_sums(const std::vector<LayerRows>& layers) const {
    std::string text = "sum of the layers that each method was counted on\n";
    text += fmt::format("  {:<12}  {:>18}  {:>16}\n", "", to_string(RunCount::multiplications),
                        to_string(RunCount::sectors));
    for (std::size_t i = 0; i < plan_.methods.size(); ++i) {
        double multiplications = 0, sectors = 0;
        std::size_t found = 0;
        bool all_multiplications = true;  // tensor cores' are not counted
        for (const LayerRows& layer : layers) {
            if (i >= layer.rows.size() || !has_counts(layer.rows[i])) continue;
            const auto times = static_cast<double>(layer.times);
            const std::optional<double> counted = count_of(layer.rows[i], RunCount::multiplications);
            all_multiplications &= counted.has_value();
            multiplications += times * counted.value_or(0);
            sectors += times * count_of(layer.rows[i], RunCount::sectors).value_or(0);
            ++found;
        }
        const auto number = [&](double sum, bool known = true) {
            return found > 0 && known ? format_count(static_cast<std::int64_t>(sum)) : std::string("-");
        };
        text += fmt::format("  {:<12}  {:>18}  {:>16}  {} of {} layers\n", plan_.methods[i],
                            number(multiplications, all_multiplications), number(sectors), found,
                            plan_.network.layers.size());
    }
    return text;
}

std::size_t NetworkTable::name_width() const {
    std::size_t width = 5;
    for (const Preset& layer : plan_.network.layers) width = std::max(width, layer_name(layer).size());
    return width;
}

std::size_t NetworkTable::shape_width() const {
    std::size_t width = 5;
    for (const Preset& layer : plan_.network.layers) width = std::max(width, layer_text(layer.spec.shape).size());
    return width;
}

/// "not supported" or "4.21 us  0.85x", and before it a method that was chosen.
std::size_t NetworkTable::method_width(const std::string& method) const {
    const std::size_t chosen = method == "ocpa" ? 7 : 0;
    return std::max<std::size_t>(method.size(), 15 + chosen);
}

bool NetworkTable::repeats() const {
    return std::any_of(plan_.network.layers.begin(), plan_.network.layers.end(),
                       [](const Preset& layer) { return layer.times != 1; });
}

}  // namespace convscope::cli
