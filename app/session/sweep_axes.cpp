#include "app/session/sweep_axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "app/request/axes.h"
#include "app/request/numbers.h"
#include "app/session/method_choice.h"
#include "kernels/core/text.h"
#include "kernels/layers/shape_fields.h"

namespace convscope::app {
namespace {

struct KindInfo {
    const char* token;
    const char* first;  ///< values to begin with
    const char* meaning;
    const char* flag = nullptr;    ///< of the workload
    ShapeMember member = nullptr;  ///< of its shape
    std::optional<Dim3> Record::*dim = nullptr;
    std::int64_t Dim3::*extent = nullptr;
};

constexpr std::array<KindInfo, sweep_kind_count> kinds{{
    {"sparsity", "0:0.9:0.1", "Share of zeros in the input, 0 to 1; plots have it in percent", "--sparsity"},
    {"weight_sparsity", "0:0.9:0.1", "Share of zeros in the weights, 0 to 1; plots have it in percent",
     "--weight-sparsity"},
    {"batch", "1,2,4,8,16", "Images in one call: n", "--n", &ConvShape::n},
    {"channels", "16,32,64,128", "Input channels: c", "--c", &ConvShape::c},
    {"size", "8,16,32,64", "Height and width of the input", "--h", &ConvShape::h},
    {"filters", "16,32,64,128", "Filters: k", "--k", &ConvShape::k},
    {"stride", "1,2", "Step of the window, both ways", "--stride", &ConvShape::stride_h},
    {"dilation", "1,2", "Step from one element under a filter to the next, both ways", "--dilation",
     &ConvShape::dilation_h},
    {"groups", "1,2,4", "Groups of channels and filters; divides both", "--groups", &ConvShape::groups},
    {"block_x", "32,64,128,256,512,1024", "Threads of a block along x", nullptr, nullptr, &Record::block, &Dim3::x},
    {"block_y", "1,2,4,8", "Threads of a block along y", nullptr, nullptr, &Record::block, &Dim3::y},
    {"block_z", "1,2,4", "Threads of a block along z", nullptr, nullptr, &Record::block, &Dim3::z},
    {"grid_x", "1,2,4,8,16,32,64,128", "Blocks along x", nullptr, nullptr, &Record::grid, &Dim3::x},
    {"grid_y", "1,2,4,8", "Blocks along y", nullptr, nullptr, &Record::grid, &Dim3::y},
    {"grid_z", "1,2,4", "Blocks along z", nullptr, nullptr, &Record::grid, &Dim3::z},
    {"tunable", "", "A tunable of the method"},
    {"define", "", "A constant of your own kernel, which is compiled with each of the values"},
}};

const KindInfo& info_of(SweepKind kind) {
    return kinds[static_cast<std::size_t>(kind)];
}

SweepAxis axis(SweepKind kind) {
    return {kind, "", info_of(kind).first};
}

constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// A constant's values to begin with: half and twice as much of what is even, as tiles are; what lies around the
/// others.
std::string values_around(std::int64_t value) {
    if (value == 0) return "0,1";
    if (value == 1) return "1,2,4";
    return value % 2 == 0 ? fmt::format("{},{},{}", value / 2, value, 2 * value)
                          : fmt::format("{},{},{}", value - 1, value, value + 1);
}

/// The axes of the open kernel, where it can be swept over.
std::vector<SweepAxis> user_constants(const Session& session, const Registry& registry) {
    std::vector<SweepAxis> axes;
    if (session.open_kernel.kernel.id.empty() || !why_user_kernel_not_swept(session, registry).empty()) return axes;
    for (const auto& [name, value] : session.open_kernel.kernel.constants)
        if (value >= 0 && value <= 1 << 30) axes.push_back({SweepKind::define, name, values_around(value)});
    return axes;
}

/// With the vendor's best next to it.
std::vector<std::string> user_methods(const Session& session, const Registry& registry) {
    std::vector<std::string> methods{session.open_kernel.kernel.id};
    if (const Method* vendor = registry.vendor_best(device_kind(session, registry)))
        methods.push_back(vendor->info().id);
    return methods;
}

/// Two constants at most, of the launch first: every combination is compiled.
std::vector<SweepSuggestion> user_suggestions(const Session& session, const Registry& registry) {
    const SweepableKernel& kernel = session.open_kernel.kernel;
    std::vector<SweepSuggestion> list;
    if (kernel.id.empty() || !why_user_kernel_not_swept(session, registry).empty()) return list;
    std::vector<SweepAxis> constants = user_constants(session, registry);
    constants.resize(std::min<std::size_t>(constants.size(), kernel.of_launch > 1 ? 2 : 1));
    if (!constants.empty()) list.push_back({"Constants of " + kernel.id, constants, user_methods(session, registry)});
    if (!kernel.grid_follows_block || !kernel.block) return list;
    std::vector<SweepAxis> block{axis(SweepKind::block_x)};
    if (kernel.block->y > 1) block.push_back(axis(SweepKind::block_y));
    list.push_back({"Block sizes of " + kernel.id, block, user_methods(session, registry)});
    return list;
}

std::vector<SweepAxis> tunables_of(const Method& method, const ConvShape& shape) {
    std::vector<SweepAxis> axes;
    for (const Tunable& tunable : method.launch_space(shape).tunables)
        axes.push_back({SweepKind::tunable, tunable.name, fmt::format("{}", fmt::join(tunable.values, ","))});
    return axes;
}

/// The method whose launches the device can be swept over; null on the CPU.
const Method* swept_method(const Session& session, const Registry& registry) {
    return device_kind(session, registry) == DeviceKind::cpu ? nullptr : launched_method(session, registry);
}

/// Values of a size that this filter fits into.
SweepAxis sizes(const ConvShape& shape) {
    SweepAxis sizes = axis(SweepKind::size);
    if (shape.h >= 32) sizes.values = fmt::format("{},{},{},{}", shape.h / 4, shape.h / 2, shape.h, 2 * shape.h);
    return sizes;
}

}  // namespace

bool is_share(SweepKind kind) {
    return kind == SweepKind::sparsity || kind == SweepKind::weight_sparsity;
}

const char* token(SweepKind kind) {
    return info_of(kind).token;
}

std::string name_of(const SweepAxis& axis) {
    if (!axis.tunable.empty()) return axis.tunable;
    if (is_share(axis.kind)) return axis.kind == SweepKind::sparsity ? "zeros" : "weight zeros";
    return replaced(token(axis.kind), "_", " ");
}

const char* meaning_of(SweepKind kind) {
    return info_of(kind).meaning;
}

const char* flag_of(SweepKind kind) {
    return info_of(kind).flag;
}

std::vector<std::string> values_of(const SweepAxis& axis) {
    const std::string name = name_of(axis);
    const ShapeMember member = info_of(axis.kind).member;
    const std::int64_t least = member ? field_of(member).min : axis.tunable.empty() ? 1 : 0;
    std::vector<std::string> values = expand_list(name, axis.values);
    for (const std::string& value : values)
        if (is_share(axis.kind))
            parse_real(name, value, 0, 1);
        else
            parse_whole(name, value, least);
    return values;
}

bool is_launch(SweepKind kind) {
    return kind >= SweepKind::block_x;
}

double value_on(const SweepAxis& axis, const Record& record) {
    if (axis.kind == SweepKind::sparsity) return 100 * record.sparsity_target;
    if (axis.kind == SweepKind::weight_sparsity) return 100 * record.weight_sparsity_target;
    if (axis.kind >= SweepKind::tunable) {
        const auto tunables = tunables_of(record);
        const auto at = tunables.find(axis.tunable);
        return at == tunables.end() ? none : static_cast<double>(at->second);
    }
    const KindInfo& info = info_of(axis.kind);
    if (info.member) return static_cast<double>(record.shape.*info.member);
    const std::optional<Dim3>& dim = record.*info.dim;
    return dim ? static_cast<double>(*dim.*info.extent) : none;
}

PlotScale scale_of(const SweepAxis& axis) {
    const bool share = is_share(axis.kind);
    return {name_of(axis), share ? "%" : "", false, false, {}, {}, !share};
}

std::vector<SweepAxis> offered_axes(const Session& session, const Registry& registry) {
    using enum SweepKind;
    std::vector<SweepAxis> axes;
    for (const SweepKind kind : {sparsity, weight_sparsity, batch, channels}) axes.push_back(axis(kind));
    axes.push_back(sizes(session.good.shape));
    for (const SweepKind kind : {filters, stride, dilation, groups}) axes.push_back(axis(kind));
    const Method* method = swept_method(session, registry);
    const LaunchSpace space = method ? method->launch_space(session.good.shape) : LaunchSpace{};
    const bool own = !session.open_kernel.kernel.id.empty() && why_user_kernel_not_swept(session, registry).empty();
    if (space.block_free || own)
        for (const SweepKind kind : {block_x, block_y, block_z}) axes.push_back(axis(kind));
    if (space.grid_free || own)
        for (const SweepKind kind : {grid_x, grid_y, grid_z}) axes.push_back(axis(kind));
    if (method)
        for (SweepAxis& each : tunables_of(*method, session.good.shape)) axes.push_back(std::move(each));
    for (SweepAxis& each : user_constants(session, registry)) axes.push_back(std::move(each));
    return axes;
}

std::vector<SweepSuggestion> suggested_sweeps(const Session& session, const Registry& registry) {
    using enum SweepKind;
    std::vector<SweepSuggestion> list;
    if (const Method* method = swept_method(session, registry)) {
        const std::string& id = method->info().id;
        const std::vector<SweepAxis> tunables = tunables_of(*method, session.good.shape);
        if (method->launch_space(session.good.shape).block_free)
            list.push_back({"Block sizes of " + id, {axis(block_x), axis(block_y)}});
        if (!tunables.empty()) list.push_back({"Tunables of " + id, tunables});
    }
    list.push_back({"Zeros", {axis(sparsity)}});
    list.push_back({"Zeros, channels", {{sparsity, "", "0:0.9:0.15"}, axis(channels)}});
    list.push_back({"Batch", {axis(batch)}});
    list.push_back({"Size", {sizes(session.good.shape)}});
    for (SweepSuggestion& each : user_suggestions(session, registry)) list.push_back(std::move(each));
    // A worked example is too small to say much about its sparsity alone: from one map to a layer.
    // On the simulated GPU the kernels of such an example have counts, and those of layers' often none.
    if (session.good.source == Source::example && session.good.shape.h < 16 &&
        device_kind(session, registry) != DeviceKind::sim)
        std::rotate(list.begin(),
                    std::find_if(list.begin(), list.end(),
                                 [](const auto& one) { return one.axes.size() == 2 && !is_launch(one.axes[0].kind); }),
                    list.end());
    return list;
}

std::vector<SweepAxis> axes_in_use(const Session& session, const Registry& registry) {
    return session.sweep.axes ? *session.sweep.axes : suggested_sweeps(session, registry).front().axes;
}

std::vector<std::string> sweep_methods(const Session& session, const Registry& registry) {
    const std::string& own = session.open_kernel.kernel.id;
    if (session.sweep.methods) {
        // The kernel that is open now, whichever was when it was ticked.
        std::vector<std::string> methods = *session.sweep.methods;
        std::ranges::replace_if(methods, is_own, own);
        std::erase(methods, "");
        return methods;
    }
    const std::vector<SweepAxis> axes = axes_in_use(session, registry);
    if (std::ranges::find(axes, SweepKind::define, &SweepAxis::kind) != axes.end() && !own.empty())
        return user_methods(session, registry);
    const Method* method = swept_method(session, registry);
    if (method && std::ranges::any_of(axes, [](const SweepAxis& axis) { return is_launch(axis.kind); }))
        return {method->info().id};
    return live_methods(session, registry);
}

void toggle_sweep_method(Session& session, const Registry& registry, const std::string& id) {
    std::vector<std::string> ticked = sweep_methods(session, registry);
    if (std::erase(ticked, id) == 0) ticked.push_back(id);
    session.sweep.methods = std::move(ticked);
}

bool is_own(const std::string& method) {
    return method.starts_with("own/");
}

std::string why_user_kernel_not_swept(const Session& session, const Registry& registry) {
    if (!session.open_kernel.kernel.reason.empty()) return session.open_kernel.kernel.reason;
    return device_kind(session, registry) == DeviceKind::cpu
               ? "a kernel of your own runs on a CUDA GPU or the simulated one, not on a CPU: choose another device"
               : "";
}

void sweep_user_kernel(Session& session, const Registry& registry) {
    follow_open_kernel(session);
    if (device_kind(session, registry) == DeviceKind::cpu) choose_device(session, registry, "sim");
    const std::vector<SweepSuggestion> own = user_suggestions(session, registry);
    if (own.empty()) session.sweep.axes.reset();
    if (!own.empty()) session.sweep.axes = own.front().axes;
    session.sweep.methods = user_methods(session, registry);
    session.view = "sweep";
}

}  // namespace convscope::app
