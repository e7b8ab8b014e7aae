#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "app/session/file/session_file.h"
#include "kernels/layers/network.h"
#include "kernels/method/former_names.h"

namespace convscope::app {
namespace {

using Notes = std::vector<std::string>;

/// The device of the file: the same id with the same name, else another of that name, else the same id.
const DeviceInfo* find_device(const SessionFile& file, const Registry& registry) {
    const DeviceInfo* same_id = registry.device_info(file.state.choices.device);
    if (same_id && !same_id->available) same_id = nullptr;
    if (same_id && (same_id->name == file.device_name || file.device_name.empty())) return same_id;
    for (const DeviceInfo* info : registry.devices())
        if (info->available && info->name == file.device_name) return info;
    return same_id;
}

void fit_device(SessionFile& file, const Session& present, const Registry& registry, Notes& notes) {
    Choices& choices = file.state.choices;
    if (choices.device.empty()) {
        choices.device = present.choices.device;
        return;
    }
    const std::string requested =
        file.device_name.empty() ? choices.device : fmt::format("{} ({})", choices.device, file.device_name);
    const DeviceInfo* found = find_device(file, registry);
    // Every machine has a CPU of its own and the same simulated GPU: their names are no news.
    const bool another = found && found->name != file.device_name && !file.device_name.empty();
    if (another && found->kind == DeviceKind::cuda)
        notes.push_back(
            fmt::format("The session measured on {}; here it measures on {} ({})", requested, found->id, found->name));
    if (found) {
        choices.device = found->id;
        return;
    }
    const DeviceInfo* wanted = registry.device_info(choices.device);
    const bool why = wanted && !wanted->reason.empty();
    choices.device = present.choices.device;
    const bool other_kind = registry.device_info(choices.device) == nullptr || !wanted ||
                            registry.device_info(choices.device)->kind != wanted->kind;
    notes.push_back(fmt::format("The session measured on {}, which is not here{}{}; {} measures instead", requested,
                                why ? ": " : "", why ? wanted->reason : "", choices.device));
    if (!other_kind) return;
    choices.live_methods.reset();  // they are of another kind of device
    file.state.network.methods.reset();
    file.state.sweep.methods.reset();
    file.state.sweep.axes.reset();
}

/// Former names become the present ones.
void rename_methods(SessionState& state) {
    const auto rename = [](std::string& id) { id = current_method_id(id); };
    for (auto* list : {&state.choices.live_methods, &state.network.methods, &state.sweep.methods})
        if (*list) std::ranges::for_each(**list, rename);
    for (std::string* id : {&state.choices.method, &state.sweep.method}) rename(*id);
    std::map<std::string, LaunchConfig> launch;
    for (auto& [id, config] : state.choices.launch) {
        std::map<std::string, std::int64_t> tunables;
        for (const auto& [name, value] : config.tunables) tunables.emplace(current_tunable(name), value);
        config.tunables = std::move(tunables);
        launch.emplace(current_method_id(id), std::move(config));
    }
    state.choices.launch = std::move(launch);
    if (!state.sweep.axes) return;
    for (SweepAxis& axis : *state.sweep.axes)
        if (axis.kind == SweepKind::tunable) axis.tunable = current_tunable(axis.tunable);
}

void fit_methods(std::optional<std::vector<std::string>>& list, const Registry& registry, DeviceKind kind,
                 Notes& notes) {
    if (!list) return;
    std::string gone;
    std::erase_if(*list, [&](const std::string& id) {
        if (registry.find(id, kind)) return false;
        gone += (gone.empty() ? "" : ", ") + id;
        return true;
    });
    if (!gone.empty()) notes.push_back(fmt::format("There is no method {} on this device; it is left out", gone));
}

void fit_network(NetworkChoice& network, Notes& notes) {
    const std::string name = network.name;
    const bool shows = shows_model(network);
    errno = 0;
    if (!network.model.empty() && access(network.model.c_str(), R_OK) != 0) {
        notes.push_back(fmt::format("The model {} cannot be read ({}){}", network.model,
                                    errno ? std::strerror(errno) : "no reason given",
                                    shows ? fmt::format("; {} is shown", first_network()) : ""));
        network.model.clear();
        network.input.clear();
        if (shows) network.name = first_network();
        return;
    }
    if (name.empty() || shows || std::ranges::find(all_networks(), name, &Network::name) != all_networks().end())
        return;
    network.name = first_network();
    notes.push_back(fmt::format("There is no network '{}' among the presets; {} is shown", name, network.name));
}

void fit_files(RecordSource& records, Notes& notes) {
    if (records.kind != RecordSource::Kind::files) return;
    std::erase_if(records.files, [&](const std::string& path) {
        errno = 0;
        if (access(path.c_str(), R_OK) == 0) return false;
        notes.push_back(fmt::format("The records in {} cannot be read ({}); they are left out", path,
                                    errno ? std::strerror(errno) : "no reason given"));
        return true;
    });
    if (records.files.empty()) records = {};
}

/// The state alone, not its scenes.
Notes fit_state(SessionFile& file, const Session& present, const Registry& registry) {
    Notes notes;
    SessionState& state = file.state;
    rename_methods(state);
    fit_device(file, present, registry, notes);
    const DeviceInfo* info = registry.device_info(state.choices.device);
    const DeviceKind kind = info ? info->kind : DeviceKind::cpu;
    for (auto* list : {&state.choices.live_methods, &state.network.methods, &state.sweep.methods})
        fit_methods(*list, registry, kind, notes);
    if (!state.choices.occupancy_model.empty() && std::ranges::none_of(device_models(), [&](const DeviceModel& model) {
            return model.name == state.choices.occupancy_model;
        })) {
        notes.push_back(fmt::format("There is no GPU model '{}' to predict occupancy for; the device's own is used",
                                    state.choices.occupancy_model));
        state.choices.occupancy_model.clear();
    }
    fit_network(state.network, notes);
    fit_files(state.records, notes);
    return notes;
}

}  // namespace

std::vector<std::string> fit_to_machine(SessionFile& file, const Session& present, const Registry& registry) {
    const std::string device = file.state.choices.device;
    Notes notes = fit_state(file, present, registry);
    std::vector<SavedScene> scenes = file.state.scenes.all();
    for (SavedScene& scene : scenes) {
        SessionFile one{scene.state, scene.state.choices.device == device ? file.device_name : "", {}};
        for (std::string& note : fit_state(one, present, registry))
            if (std::ranges::find(notes, note) == notes.end()) notes.push_back(std::move(note));
        scene.state = std::move(one.state);
    }
    file.state.scenes.set(std::move(scenes));
    return notes;
}

std::string device_name_of(const Session& session, const Registry& registry) {
    const DeviceInfo* info = registry.device_info(session.choices.device);
    return info ? info->name : std::string();
}

}  // namespace convscope::app
