#include "app/session/sweep_flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "app/session/method_choice.h"
#include "app/session/sweep_axes.h"
#include "app/user_kernel/kernel_call.h"
#include "kernels/core/error.h"
#include "kernels/layers/example_zeros.h"
#include "kernels/layers/preset.h"
#include "kernels/layers/shape_fields.h"

namespace convscope::app {
namespace {

bool is_preset(const WorkloadSpec& spec) {
    return std::ranges::any_of(all_presets(), [&](const Preset& preset) { return preset.spec == spec; });
}

const SweepAxis* find(const std::vector<SweepAxis>& axes, SweepKind kind) {
    for (const SweepAxis& axis : axes)
        if (axis.kind == kind) return &axis;
    return nullptr;
}

/// All triples that the axes of x, y and z span, the others as they are: "32x1x1,64x1x1".
std::string triples(const std::vector<SweepAxis>& axes, SweepKind first, const Dim3& others) {
    std::vector<std::string> list{""};
    const std::array<std::int64_t, 3> extents{others.x, others.y, others.z};
    for (int i = 0; i < 3; ++i) {
        const SweepAxis* axis = find(axes, static_cast<SweepKind>(static_cast<int>(first) + i));
        const std::vector<std::string> values =
            axis ? values_of(*axis) : std::vector<std::string>{std::to_string(extents[static_cast<std::size_t>(i)])};
        std::vector<std::string> longer;
        for (const std::string& begun : list)
            for (const std::string& value : values) longer.push_back(begun.empty() ? value : begun + "x" + value);
        list = std::move(longer);
    }
    return fmt::format("{}", fmt::join(list, ","));
}

bool any_of(const std::vector<SweepAxis>& axes, SweepKind first, SweepKind last) {
    return std::ranges::any_of(axes, [&](const SweepAxis& axis) { return axis.kind >= first && axis.kind <= last; });
}

/// Adds the launch panel's settings for the method, with the axes in place of the swept ones. A user's own kernel has
/// the block of its comment.
void add_launch(FlagValues& flags, const Session& session, const Registry& registry, const std::vector<SweepAxis>& axes,
                const std::vector<std::string>& methods) {
    const bool varies = any_of(axes, SweepKind::block_x, SweepKind::tunable);
    const bool own = std::ranges::any_of(methods, is_own);
    const Method* method = launched_method(session, registry);
    if (own && method && std::ranges::find(methods, method->info().id) == methods.end()) method = nullptr;
    if (!varies || (!method && !own)) return;
    const LaunchConfig config = method ? launch_of(session, method->info().id) : LaunchConfig{};
    const Dim3 block = own ? session.open_kernel.kernel.block.value_or(Dim3{1, 1, 1}) : Dim3{1, 1, 1};
    if (any_of(axes, SweepKind::block_x, SweepKind::block_z))
        flags.set("--block", triples(axes, SweepKind::block_x, block));
    else if (config.block)
        flags.set("--block", to_string(*config.block));
    if (any_of(axes, SweepKind::grid_x, SweepKind::grid_z))
        flags.set("--grid", triples(axes, SweepKind::grid_x, {1, 1, 1}));
    else if (config.grid)
        flags.set("--grid", to_string(*config.grid));
    std::vector<std::string> settings;
    for (const SweepAxis& axis : axes)
        if (axis.kind == SweepKind::tunable) settings.push_back(axis.tunable + "=" + axis.values);
    for (const auto& [name, value] : config.tunables)
        if (std::ranges::find(axes, name, &SweepAxis::tunable) == axes.end())
            settings.push_back(fmt::format("{}={}", name, value));
    if (!settings.empty()) flags.set_all("--set", std::move(settings));
}

/// The kernel that is open, where it is among the methods.
void add_own(FlagValues& flags, const Session& session, const Registry& registry, const std::vector<SweepAxis>& axes,
             const std::vector<std::string>& methods) {
    std::vector<std::string> defines;
    for (const SweepAxis& axis : axes)
        if (axis.kind == SweepKind::define) defines.push_back(axis.tunable + "=" + axis.values);
    if (std::ranges::none_of(methods, is_own)) {
        if (defines.empty()) return;
        throw Error(ErrorKind::usage,
                    fmt::format("{} is a constant of a kernel of your own; {}", name_of_define(defines.front()),
                                session.open_kernel.file.empty() ? "open it in the Kernel view"
                                                                 : "tick " + session.open_kernel.kernel.id));
    }
    if (const std::string reason = why_user_kernel_not_swept(session, registry); !reason.empty())
        throw Error(ErrorKind::usage, reason);
    flags.set("--own", session.open_kernel.file);
    if (!defines.empty()) flags.set_all("--define", std::move(defines));
}

/// Where zeros in w are requested, or their pattern is.
void add_weight_zeros(FlagValues& flags, const WorkloadSpec& spec) {
    const WorkloadSpec as_it_is;
    if (spec.weight_sparsity == as_it_is.weight_sparsity && spec.weight_pattern == as_it_is.weight_pattern) return;
    flags.set("--weight-sparsity", fmt::format("{}", spec.weight_sparsity));
    flags.set("--weight-pattern", to_string(spec.weight_pattern));
}

}  // namespace

FlagValues workload_flags_of(const Session& session, bool resized) {
    FlagValues flags;
    const WorkloadSpec& spec = session.good;
    if (!resized && is_preset(spec)) {
        flags.set("--preset", spec.name);
        return flags;
    }
    if (const Preset* example = example_of(spec); example && !resized && spec.source == Source::example) {
        flags.set("--preset", example->spec.name);
        flags.set("--sparsity", fmt::format("{}", spec.sparsity));
        add_weight_zeros(flags, spec);
        return flags;
    }
    const ConvShape& shape = spec.shape;
    auto set = [&flags](const char* flag, auto value) { flags.set(flag, fmt::format("{}", value)); };
    const bool file = spec.source == Source::file && !resized;
    if (file) {
        set("--input", spec.input_path);
        if (!spec.weights_path.empty()) set("--weights", spec.weights_path);
    }
    // Defaults are left out; --w follows --h, and --s follows --r.
    ConvShape default_value;
    default_value.w = resized ? shape.w : shape.h;
    default_value.s = shape.r;
    default_value.h = default_value.r = 0;
    for (const ShapeKey& key : shape_keys) {
        const bool of_x = key.first == &ConvShape::n || key.first == &ConvShape::c || key.first == &ConvShape::h ||
                          key.first == &ConvShape::w;
        const bool of_w = key.first == &ConvShape::k || key.first == &ConvShape::r || key.first == &ConvShape::s;
        if (file && (of_x || (of_w && !spec.weights_path.empty()))) continue;
        const std::string text = text_of(key, shape);
        if (text != text_of(key, default_value)) set(key.flag, text);
    }
    if (!file) set("--sparsity", spec.sparsity);
    if (spec.source != Source::uniform && std::ranges::count(zero_patterns, spec.source) > 0)
        set("--pattern", to_string(spec.source));
    add_weight_zeros(flags, spec);
    set("--seed", spec.seed);
    return flags;
}

void add_timing(FlagValues& flags, const Session& session, const Registry& registry) {
    if (device_kind(session, registry) == DeviceKind::sim) return;
    flags.set("--scope", to_string(session.choices.scope));
    flags.set("--cache", to_string(session.choices.cache));
}

FlagValues sweep_flags(const Session& session, const Registry& registry) {
    const std::vector<SweepAxis> axes = axes_in_use(session, registry);
    if (axes.empty()) throw Error(ErrorKind::usage, "a sweep needs at least one axis; add one");
    std::vector<std::string> methods = sweep_methods(session, registry);
    if (methods.empty()) throw Error(ErrorKind::usage, "tick at least one method");
    FlagValues flags = workload_flags_of(session, find(axes, SweepKind::size) != nullptr);
    for (const auto& [flag, label] : {std::pair{"--block", "block"}, {"--grid", "grid"}, {"--set", "tunable"}})
        flags.set_label(flag, label);
    for (const SweepAxis& axis : axes) {
        values_of(axis);
        const char* flag = flag_of(axis.kind);
        if (!flag) continue;
        flags.set(flag, axis.values);
        flags.set_label(flag, name_of(axis));
    }
    add_launch(flags, session, registry, axes, methods);
    add_own(flags, session, registry, axes, methods);
    std::erase_if(methods, is_own);
    flags.set("--device", session.choices.device);
    flags.set("--methods", methods.empty() ? "none" : fmt::format("{}", fmt::join(methods, ",")));
    add_timing(flags, session, registry);
    // Many points: less precise than one layer's figures, and sooner done.
    flags.set("--min-samples", "8");
    flags.set("--max-noise", "2");
    flags.set("--timeout", fmt::format("{}", session.sweep.timeout_s));
    return flags;
}

}  // namespace convscope::app
