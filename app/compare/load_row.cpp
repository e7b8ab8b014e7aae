#include "app/compare/load_row.h"

#include <fmt/format.h>

#include <charconv>
#include <sstream>

#include "kernels/core/error.h"
#include "kernels/core/preset.h"

namespace convscope::app {
namespace {

std::map<std::string, std::int64_t> read_tunables(const std::string& text) {
    std::map<std::string, std::int64_t> values;
    std::istringstream parts(text);
    for (std::string part; std::getline(parts, part, ';');) {
        const std::size_t at = part.find('=');
        std::int64_t value = 0;
        if (at == std::string::npos) continue;
        const auto [stop, error] = std::from_chars(part.data() + at + 1, part.data() + part.size(), value);
        if (error == std::errc()) values[part.substr(0, at)] = value;
    }
    return values;
}

/// What of the row's launch configuration a person may set; the rest follows from it.
LaunchConfig launch_of_row(const Record& record, const Registry& registry) {
    LaunchConfig launch;
    for (const DeviceKind kind : {DeviceKind::cuda, DeviceKind::sim})
        if (const Method* method = registry.find(record.method, kind)) {
            const LaunchSpace space = method->launch_space(record.shape);
            if (space.block_free) launch.block = record.block;
            if (space.grid_free) launch.grid = record.grid;
            launch.tunables = read_tunables(record.tunables);
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
    const bool as_preset =
        spec.shape == record.shape && spec.sparsity == record.sparsity_target && spec.seed == record.seed;
    if (as_preset) return spec;
    spec.name = "custom";
    spec.shape = record.shape;
    spec.sparsity = record.sparsity_target;
    spec.seed = record.seed;
    spec.source = Source::uniform;
    for (const Source source : {Source::blobs, Source::channels})
        if (record.source == to_string(source)) spec.source = source;
    return spec;
}

}  // namespace

std::string load_row(Session& session, const Registry& registry, const CompareData& data, std::size_t row) {
    try {
        const Record record = data.table.record(row);
        const std::string& layer = data.layer_names[data.layer[row]];
        set_workload(session, spec_of(record, layer));
        choose_method(session, record.method);
        LaunchConfig& launch = session.choices.launch[record.method];
        launch = launch_of_row(record, registry);
        if (!record.timing_scope.empty()) session.choices.scope = parse_scope(record.timing_scope);
        if (!record.cache_mode.empty()) session.choices.cache = parse_cache(record.cache_mode);
        return fmt::format("{} and {}'s launch configuration are in the panels", layer, record.method);
    } catch (const Error& error) {
        return fmt::format("This row cannot be loaded: {}", error.what());
    }
}

}  // namespace convscope::app
