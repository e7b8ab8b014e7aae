#include "app/session/method_choice.h"

#include <algorithm>
#include <array>
#include <functional>

#include "kernels/method/any_size.h"
#include "kernels/method/restricts_weights.h"

namespace convscope::app {
namespace {

using Ids = std::vector<const char*>;

bool one_map(const ConvShape& shape) {
    return shape.n * shape.c * shape.k == 1;
}

/// The methods that a tab is about, the best match first.
Ids methods_of(TabId tab, const ConvShape& shape) {
    const bool any = tab == "output" || tab == "balance" || tab == "formats";
    const bool pecr = tab == "pecr" || (any && shape.pooled());
    if (tab == "lowering" || tab == "solutions") return {"mec2", "im2col"};
    if (pecr && shape.pooled()) return one_map(shape) ? Ids{"pecr1", "pecr3", "ecr1"} : Ids{"pecr3", "pecr2", "ecr3"};
    return one_map(shape) ? Ids{"ecr1", "ecr3"} : Ids{"ecr3", "ecr2"};
}

Ids compared_first(const ConvShape& shape) {
    if (!one_map(shape)) return {"im2col", "mec2", "ecr3", "pecr3"};
    return shape.pooled() ? Ids{"im2col", "mec2", "ecr1", "pecr1", "pecr2"} : Ids{"im2col", "mec2", "ecr1", "ecr2"};
}

bool runs(const Registry& registry, DeviceKind kind, const std::string& id, const ConvShape& shape) {
    const Method* method = registry.find(id, kind);
    return method && method->supports(shape);
}

}  // namespace

std::string shown_method(const Session& session, const Registry& registry) {
    const ConvShape& shape = session.good.shape;
    const DeviceKind kind = device_kind(session, registry);
    if (runs(registry, kind, session.choices.method, shape)) return session.choices.method;
    for (const char* id : methods_of(session.tab, shape))
        if (runs(registry, kind, id, shape)) return id;
    const std::vector<const Method*> all = registry.methods(kind);
    return all.empty() ? std::string() : all.front()->info().id;
}

const Method* launched_method(const Session& session, const Registry& registry) {
    const DeviceKind kind = device_kind(session, registry);
    std::string id = shown_method(session, registry);
    const std::string& chosen = session.choices.method;
    if (kind != DeviceKind::cpu) return registry.find(id, kind);
    const bool of_gpus_alone = !chosen.empty() && !registry.find(chosen, kind);
    for (DeviceKind gpu : {DeviceKind::sim, DeviceKind::cuda})
        if (const Method* method = registry.find(chosen, gpu);
            of_gpus_alone && method && supports_any_size(*method, session.good.shape))  // nothing will run
            id = chosen;
    for (DeviceKind gpu : {DeviceKind::sim, DeviceKind::cuda})
        if (const Method* method = registry.find(id, gpu)) return method;
    return registry.find(id, kind);
}

ResolvedLaunch shown_launch(const Session& session, const Registry& registry, const Method& method,
                            const DeviceModel& model) {
    return resolved_launch(session, registry, method, launch_of(session, method.info().id), model);
}

ResolvedLaunch resolved_launch(const Session& session, const Registry& registry, const Method& method,
                               const LaunchConfig& config, const DeviceModel& model) {
    const ConvShape& shape = session.good.shape;
    if (device_kind(session, registry) == DeviceKind::cpu) return resolve_any_size(method, shape, config, model);
    return method.resolve(shape, config, model);
}

std::array<bool, 3> rejected_dims(const Session& session, const Registry& registry, const Method& method,
                                  std::optional<Dim3> LaunchConfig::*dims, const DeviceModel& model) {
    std::array<bool, 3> rejected{};
    const LaunchConfig config = launch_of(session, method.info().id);
    if (!(config.*dims) || shown_launch(session, registry, method, model).support) return rejected;
    LaunchConfig without = config;
    (without.*dims).reset();
    if (!resolved_launch(session, registry, method, without, model).support) return rejected;  // something else is
    const ResolvedLaunch own = resolved_launch(session, registry, method, {}, model);
    if (own.main >= own.kernels.size()) return {true, true, true};
    const KernelLaunch& kernel = own.kernels[own.main];
    const Dim3 own_dims = dims == &LaunchConfig::block ? kernel.block : kernel.grid;
    constexpr std::array extents{&Dim3::x, &Dim3::y, &Dim3::z};
    std::array<bool, 3> differs{};
    for (std::size_t i = 0; i < extents.size(); ++i) {
        LaunchConfig changed = config;
        (*(changed.*dims)).*extents[i] = own_dims.*extents[i];
        differs[i] = !(changed == config);
        rejected[i] = differs[i] && resolved_launch(session, registry, method, changed, model).support;
    }
    return std::ranges::any_of(rejected, std::identity{}) ? rejected : differs;
}

std::string stepped_method(const Session& session, const Registry& traceable) {
    if (!session.choices.method.empty()) return session.choices.method;
    const ConvShape& shape = session.good.shape;
    for (const char* id : methods_of(session.tab, shape))
        if (runs(traceable, DeviceKind::sim, id, shape)) return id;
    return "im2col";
}

Support runs_layer(const Session& session, const Method& method) {
    if (Support supported = method.supports(session.good.shape); !supported) return supported;
    return may_take_weights(method, session.good, launch_of(session, method.info().id));
}

std::vector<std::string> live_methods(const Session& session, const Registry& registry) {
    if (session.choices.live_methods) return *session.choices.live_methods;
    const ConvShape& shape = session.good.shape;
    const Ids default_value = compared_first(shape);
    const DeviceKind kind = device_kind(session, registry);
    const Method* vendor = registry.vendor_best(kind);
    std::vector<std::string> ids;
    for (const Method* method : registry.methods(kind)) {
        const std::string& id = method->info().id;
        const bool wanted = method == vendor || std::ranges::find(default_value, id) != default_value.end();
        if (wanted && runs_layer(session, *method)) ids.push_back(id);
    }
    return ids;
}

void toggle_live_method(Session& session, const Registry& registry, const std::string& id) {
    std::vector<std::string> ticked = live_methods(session, registry);
    if (std::erase(ticked, id) == 0) ticked.push_back(id);
    std::vector<std::string> ordered;
    for (const Method* method : registry.methods(device_kind(session, registry)))
        if (std::ranges::find(ticked, method->info().id) != ticked.end()) ordered.push_back(method->info().id);
    session.choices.live_methods = std::move(ordered);
}

}  // namespace convscope::app
