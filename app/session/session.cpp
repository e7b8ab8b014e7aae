#include "app/session/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <tuple>

#include "app/session/method_choice.h"
#include "app/user_kernel/kernel_call.h"
#include "kernels/core/error.h"
#include "kernels/core/format_units.h"
#include "kernels/core/host_memory.h"
#include "kernels/files/preset_folder.h"
#include "kernels/layers/example_zeros.h"
#include "kernels/layers/network.h"
#include "kernels/layers/one_map.h"
#include "kernels/layers/shape_fields.h"

namespace convscope::app {
namespace {

/// A GPU when there is one, else the CPU.
std::string best_device(const Registry& registry) {
    for (const DeviceKind kind : {DeviceKind::cuda, DeviceKind::cpu, DeviceKind::sim})
        if (const DeviceInfo* info = registry.usable_device(kind)) return info->id;
    return {};
}

/// A preset that was changed is not a preset any more; values given for one size cannot fill another. A worked example
/// has its zeros changed, and keeps its weights.
void clear_preset(WorkloadSpec& spec, const WorkloadSpec& before) {
    if (spec.name != before.name) return;
    if (spec.source == Source::example && spec.shape == before.shape && spec.sparsity != before.sparsity) {
        spec.name = "custom";
        return thin_or_fill(spec);
    }
    const bool same = spec.shape == before.shape && spec.source == before.source && spec.sparsity == before.sparsity &&
                      spec.seed == before.seed && spec.weight_pattern == before.weight_pattern &&
                      spec.weight_sparsity == before.weight_sparsity;
    if (!same) spec.name = "custom";
    draw_where_values_do_not_fit(spec, before);
}

/// A layer opens with one element lit in each view: the links are seen before anything is touched.
std::array<std::optional<ElementRef>, TabId::count> opening_pins(const WorkloadSpec& spec) {
    if (spec.source == Source::example)
        return {ElementRef{ArrayId::F_data, {1, 2}}, ElementRef{ArrayId::Data, {0, 1}}, ElementRef{ArrayId::L, {1, 4}},
                ElementRef{ArrayId::y, {0, 1}}};
    const ElementRef middle{ArrayId::x, {spec.shape.h / 2, spec.shape.w / 2}};
    return {middle, middle, middle, ElementRef{ArrayId::y, {spec.shape.out_h() / 2, spec.shape.out_w() / 2}}};
}

WorkloadSpec first_workload() {
    const std::vector<Preset>& presets = all_presets();
    for (const Preset& preset : presets)
        if (preset.spec.name == "examples/xu-fig4") return preset.spec;
    if (!presets.empty()) return presets.front().spec;
    throw Error(ErrorKind::file, "the preset folder " + preset_folder().string() + " holds no presets");
}

}  // namespace

void clamp_selection(Session& session) {
    Selection& selection = session.choices.selection;
    selection = {nearest_map(selection, session.good.shape), selection.automatic};
}

Session make_session(const Registry& registry) {
    Session session;
    set_workload(session, first_workload());
    choose_device(session, registry, best_device(registry));
    session.network.name = first_network();
    return session;
}

std::string first_network() {
    std::string name;
    // Its maps are those of a trained network, not noise.
    for (const Network& network : all_networks())
        if (name.empty() || network.name == "shapes") name = network.name;
    return name;
}

namespace {

/// New data start at the first step; the chosen block stays, and is rejected where it no longer exists.
void restart_steps(Session& session) {
    session.plays_steps = false;
    for (StepSide& side : session.step.sides) side.done = 1;
}

/// Takes the fields as they are, or rejects them with a reason. Fields that a user 'edited' are not a preset any more;
/// a workload that was chosen or restored as a whole is what it says.
void accept_workload(Session& session, bool edited) {
    WorkloadSpec& spec = session.choices.workload;
    session.needs_consent = false;
    try {
        validate(spec);
    } catch (const Error& error) {
        session.rejection = error.what();
        return;
    }
    if (edited) clear_preset(spec, session.good);
    const double bytes = 4.0 * static_cast<double>(spec.shape.x_elements() + spec.shape.w_elements());
    session.needs_consent = bytes > max_unconfirmed_bytes && session.agreed != spec.shape;
    if (session.needs_consent) {
        session.rejection =
            fmt::format("This layer's input and filters take {} of the host's memory, of which {} are free.",
                        format_bytes(bytes), format_bytes(available_host_memory_bytes()));
        return;
    }
    session.rejection.clear();
    if (spec != session.good) restart_steps(session);
    session.good = spec;
    clamp_selection(session);
}

}  // namespace

void set_workload(Session& session, const WorkloadSpec& spec) {
    session.choices.workload = spec;
    session.choices.selection = {};
    session.choices.selection.automatic = true;
    session.pages.block.reset();
    session.step.slice = false;
    session.step.sides[0].block = session.step.sides[1].block = {0, 0, 0};
    accept_workload(session, false);
    if (!session.rejection.empty()) return;
    session.pinned = opening_pins(spec);
    session.multiplication = {};
    session.layer.pinned.reset();
}

void edit_workload(Session& session) {
    // Other values of the same layer are seen where the user is. Before it is built nobody knows where that will be.
    Selection& selection = session.choices.selection;
    if (selection.image != 0 || selection.channel != 0) selection.automatic = false;
    accept_workload(session, true);
}

void agree(Session& session) {
    session.agreed = session.choices.workload.shape;
    set_workload(session, session.choices.workload);
}

void reject(Session& session, std::string reason) {
    session.rejection = std::move(reason);
}

void choose_device(Session& session, const Registry& registry, const std::string& id) {
    const DeviceInfo* info = registry.device_info(id);
    if (!info || !info->available) return;
    Choices& choices = session.choices;
    choices.device = id;
    choices.live_methods.reset();
    session.network.methods.reset();
    session.sweep.axes.reset();
    session.sweep.methods.reset();
}

void choose_method(Session& session, const std::string& id) {
    session.choices.method = id;
    session.step.sides[0] = {};  // another kernel has another grid
    session.plays_steps = false;
}

void compare_steps_with(Session& session, const std::string& id) {
    session.step.companion = id;
    session.step.sides[1] = {};
    session.plays_steps = false;
}

void step_through_slice(Session& session, bool slice) {
    session.step.slice = slice;
    restart_steps(session);
    for (StepSide& side : session.step.sides) side.block = {0, 0, 0};  // another grid
}

void open_kernel_file(Session& session, const std::string& path) {
    session.kernel.open(path);
    session.desktop_state.preferences.kernel_folder = std::filesystem::path(path).parent_path().string();
    trust_kernel(session);
}

void trust_kernel(Session& session) {
    session.trusted_kernels.insert(session.kernel.file);
}

bool may_compile(const Session& session) {
    return session.kernel.file.empty() || session.trusted_kernels.contains(session.kernel.file);
}

namespace {

std::pair<std::string, std::string> program_of(const KernelChoice& choice) {
    const auto words = choice.given.find(program_words);
    return {choice.file, words == choice.given.end() ? "" : words->second};
}

}  // namespace

void trust_program(Session& session) {
    trust_kernel(session);
    session.trusted_programs.insert(program_of(session.kernel));
}

bool may_run_program(const Session& session) {
    return session.trusted_programs.contains(program_of(session.kernel));
}

std::string untrusted_kernel(const std::string& file) {
    return fmt::format("{} is named by a session and not compiled before you say so: 'Compile it' in the Kernel view",
                       std::filesystem::path(file).filename().string());
}

void restore(Session& session, const Choices& choices) {
    session.choices = choices;
    accept_workload(session, false);
}

void notify(Session& session, std::string text, bool problem) {
    note_down(session.desktop_state, text, problem);
    session.notices.push_back({std::move(text), problem, 0, session.notices_so_far++});
}

namespace {

bool can_be(const ConvShape& shape) {
    try {
        validate(shape);
        return true;
    } catch (const Error&) {
        return false;
    }
}

}  // namespace

bool is_rejected(const Session& session, std::int64_t ConvShape::*field) {
    const ConvShape &wanted = session.choices.workload.shape, &good = session.good.shape;
    if (session.rejection.empty() || session.needs_consent || wanted.*field == good.*field) return false;
    const auto fixes = [&](std::int64_t ConvShape::*one) {
        ConvShape fixed = wanted;
        fixed.*one = good.*one;
        return wanted.*one != good.*one && can_be(fixed);
    };
    return fixes(field) ||
           std::ranges::none_of(shape_fields, [&](const ShapeField& each) { return fixes(each.member); });
}

float ui_scale(const Session& session, const Screen& screen) {
    if (!session.desktop_state.presenting) return screen.scale * session.appearance.scale;
    // The back of the room sees the window's size, not its pixels. In eighths: fonts are made for each.
    constexpr float width = 800, height = 450, steps = 8, between_panels = 0.625F;
    const float whole = std::min(screen.width / width, screen.height / height),
                share = session.desktop_state.panels_open ? between_panels : 1,
                fits = std::floor(steps * share * whole) / steps;
    return std::max(1.0F, fits) * session.desktop_state.audience_zoom;
}

bool shows_slide(const Session& session) {
    return session.desktop_state.presenting && session.lesson.open.empty();
}

void reset_arrangement(Session& session) {
    Appearance fresh;
    fresh.dark = session.appearance.dark;
    fresh.scale = session.appearance.scale;
    session.appearance = fresh;
    session.desktop_state.maximised = session.desktop_state.presenting = false;
}

bool overlay_open(const Session& session) {
    return session.desktop_state.overlay != Overlay::none || session.desktop_state.dialog_open;
}

DeviceKind device_kind(const Session& session, const Registry& registry) {
    const DeviceInfo* info = registry.device_info(session.choices.device);
    return info ? info->kind : DeviceKind::cpu;
}

const DeviceModel& launch_model(const Session& session, const Registry& registry) {
    const DeviceInfo* info = registry.device_info(session.choices.device);
    if (info && info->model.max_threads_per_sm > 0) return info->model;
    return default_device_model();
}

const DeviceModel& occupancy_model(const Session& session, const Registry& registry) {
    for (const DeviceModel& model : device_models())
        if (model.name == session.choices.occupancy_model) return model;
    return launch_model(session, registry);
}

LaunchConfig launch_of(const Session& session, const std::string& method) {
    auto found = session.choices.launch.find(method);
    return found == session.choices.launch.end() ? LaunchConfig{} : found->second;
}

MeasureJob make_job(const Session& session, const Registry& registry) {
    MeasureJob job;
    job.device = session.choices.device;
    job.workload = session.good;
    const bool has_kernels = device_kind(session, registry) != DeviceKind::cpu;
    for (const std::string& id : live_methods(session, registry))
        job.candidates.push_back({id, has_kernels ? launch_of(session, id) : LaunchConfig{}});
    job.options.scope = session.choices.scope;
    job.options.cache = session.choices.cache;
    // Live figures are renewed round by round: each method samples for a fixed time, whatever its noise.
    job.options.max_noise_pct = 0;
    job.options.timeout_s = 0.3;
    job.repeat = true;
    return job;
}

const Network* chosen_network(const Session& session) {
    if (shows_model(session.network)) return session.model.network.get();
    for (const Network& network : all_networks())
        if (network.name == session.network.name) return &network;
    return nullptr;
}

std::vector<std::string> chosen_network_methods(const Session& session, const Registry& registry) {
    return session.network.methods ? *session.network.methods
                                   : network_methods(registry, device_kind(session, registry));
}

void toggle_network_method(Session& session, const Registry& registry, const std::string& id) {
    std::vector<std::string> ticked = chosen_network_methods(session, registry);
    if (std::erase(ticked, id) == 0) ticked.push_back(id);
    session.network.methods = std::move(ticked);
}

Network batched_network(const Session& session) {
    const Network* const named = chosen_network(session);
    if (!named) return {};
    Network network = *named;
    for (Preset& layer : network.layers) layer.spec.shape.n = session.network.n;
    draw_where_values_do_not_fit(network, *named);
    return network;
}

NetworkJob make_network_job(const Session& session, const Registry& registry) {
    NetworkJob job;
    job.device = session.choices.device;
    job.plan.network = batched_network(session);
    job.plan.methods = chosen_network_methods(session, registry);
    job.plan.chain = session.network.chain;
    job.plan.options.scope = session.choices.scope;
    job.plan.options.cache = session.choices.cache;
    // Many layers: less precise than one layer's figures, and sooner done.
    job.plan.options.max_noise_pct = 3;
    job.plan.options.min_samples = 5;
    job.plan.options.timeout_s = session.network.timeout_s;
    return job;
}

}  // namespace convscope::app
