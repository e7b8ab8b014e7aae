#include "app/ui/compare_view/load_row.h"

#include <fmt/format.h>

#include "app/session/method_choice.h"
#include "kernels/core/error.h"
#include "kernels/layers/preset.h"
#include "kernels/records/record_key.h"

namespace convscope::app {
namespace {

/// The part of the row's launch configuration that a user may set; the rest follows from it.
LaunchConfig launch_of_row(const Record& record, const Registry& registry) {
    LaunchConfig launch;
    for (const DeviceKind kind : {DeviceKind::cuda, DeviceKind::sim})
        if (const Method* method = registry.find(record.method, kind)) {
            const LaunchSpace space = method->launch_space(record.shape);
            if (space.block_free) launch.block = record.block;
            if (space.grid_free) launch.grid = record.grid;
            launch.tunables = tunables_of(record);
            break;
        }
    return launch;
}

/// The preset of this name, or a layer of the row's own.
WorkloadSpec spec_of(const Record& record, const std::string& layer) {
    WorkloadSpec spec;
    spec.name = "custom";
    for (const Preset& preset : all_presets())
        if (preset.spec.name == layer) spec = preset.spec;
    const bool as_preset = spec.shape == record.shape && to_string(spec.source) == record.source &&
                           spec.sparsity == record.sparsity_target && spec.seed == record.seed;
    const bool pruned = record.weight_sparsity_target > 0;
    if (pruned) spec.weight_pattern = parse_weight_pattern(record.weight_pattern);
    spec.weight_sparsity = record.weight_sparsity_target;
    if (as_preset && !pruned) return spec;
    spec.name = "custom";
    if (as_preset) return spec;
    spec.shape = record.shape;
    spec.sparsity = record.sparsity_target;
    spec.seed = record.seed;
    spec.source = Source::uniform;
    for (const Source source : zero_patterns)
        if (record.source == to_string(source)) spec.source = source;
    return spec;
}

/// "block 32x4x1, convert_warps=8": what was set; empty where the method chooses all.
std::string set_by_hand(const LaunchConfig& launch) {
    std::string text;
    const auto add = [&](const std::string& words) { text += (text.empty() ? "" : ", ") + words; };
    if (launch.block) add("block " + to_string(*launch.block));
    if (launch.grid) add("grid " + to_string(*launch.grid));
    for (const auto& [name, value] : launch.tunables) add(fmt::format("{}={}", name, value));
    return text.empty() ? "its own launch configuration" : text;
}

/// A row that is older than one of the method's tunables does not name it, and what the method would choose for it
/// today may contradict what the row names: then it has the first value that does not. Where there is none, all is the
/// method's own choice.
LaunchConfig completed(const LaunchConfig& row, const Session& session, const Registry& registry,
                       const Method& method) {
    const auto can_be = [&](const LaunchConfig& launch) {
        return resolved_launch(session, registry, method, launch, launch_model(session, registry)).support.ok;
    };
    if (can_be(row)) return row;
    for (const Tunable& tunable : method.launch_space(session.good.shape).tunables) {
        if (row.tunables.contains(tunable.name)) continue;
        for (const std::int64_t value : tunable.values) {
            LaunchConfig launch = row;
            launch.tunables[tunable.name] = value;
            if (can_be(launch)) return launch;
        }
    }
    return {};
}

/// Chooses the row's method where the launch panel can show it; else the choice stays. Returns whether it was chosen.
bool take_method(Session& session, const Registry& registry, const Record& record) {
    const std::string before = session.choices.method;
    choose_method(session, record.method);
    const Method* const launched = launched_method(session, registry);
    if (launched && launched->info().id == record.method) {
        session.choices.launch[record.method] =
            completed(launch_of_row(record, registry), session, registry, *launched);
        return true;
    }
    choose_method(session, before);
    return false;
}

/// Names the row's settings that the panels cannot take, and why; empty where they take all.
std::string left_out(const Session& session, const Registry& registry, const Record& record, bool took_method) {
    std::string text;
    const auto add = [&](const std::string& words) { text += (text.empty() ? "Not taken over: " : "; ") + words; };
    const DeviceInfo* const device = registry.device_info(session.choices.device);
    const std::string here = device ? device->name : "no device";
    if (record.method.starts_with("own/"))
        add(record.method + ", whose launch its file says");
    else if (!took_method)
        add(fmt::format("{}, which {} does not have for this layer", record.method, here));
    if (record.source != to_string(session.good.source))
        add(fmt::format("its data ({}), for which zeros are {} here", record.source, to_string(session.good.source)));
    if (here != record.device_name) add(fmt::format("the device, {}: Run measures on {}", record.device_name, here));
    return text.empty() ? text : ". " + text;
}

}  // namespace

std::string load_row(Session& session, const Registry& registry, const CompareData& data, std::size_t row) {
    try {
        const Record record = data.table.record(row);
        const std::string& layer = data.layer_names[data.layer[row]];
        set_workload(session, spec_of(record, layer));
        const bool took_method = take_method(session, registry, record);
        if (!record.timing_scope.empty()) session.choices.scope = parse_scope(record.timing_scope);
        if (!record.cache_mode.empty()) session.choices.cache = parse_cache(record.cache_mode);
        std::string taken = fmt::format("In the panels: {}, zeros {:.4g} %", layer, 100 * record.sparsity_target);
        if (record.weight_sparsity_target > 0) taken += ", " + weights_text(record);
        if (took_method)
            taken += fmt::format(", {} with {}", record.method, set_by_hand(session.choices.launch[record.method]));
        return taken + left_out(session, registry, record, took_method);
    } catch (const Error& error) {
        return fmt::format("This row cannot be loaded: {}", error.what());
    }
}

}  // namespace convscope::app
