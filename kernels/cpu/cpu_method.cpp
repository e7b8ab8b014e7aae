#include "kernels/cpu/cpu_method.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "kernels/core/error.h"
#include "kernels/cpu/grouped_execution.h"
#include "kernels/method/device.h"

namespace convscope {
namespace {

class CpuMethod final : public Method {
public:
    explicit CpuMethod(CpuMethodParts parts) : parts_(std::move(parts)) { parts_.info.takes.groups = true; }

    const MethodInfo& info() const override { return parts_.info; }
    LaunchSpace launch_space(const ConvShape&) const override { return {false, false, parts_.tunables}; }
    ResolvedLaunch resolve(const ConvShape&, const LaunchConfig&, const DeviceModel&) const override;
    std::int64_t workspace_bytes(const ConvShape& shape) const override {
        return supports(shape) ? make(shape, {})->workspace_bytes() : -1;
    }
    std::unique_ptr<Execution> instantiate(const ConvShape&, const LaunchConfig&, Device&) const override;

private:
    Support can_run(const ConvShape& shape) const override {
        return parts_.supports ? parts_.supports(one_group(shape)) : Support{};
    }
    std::unique_ptr<Execution> make(const ConvShape&, const LaunchConfig&) const;
    Support accepts(const std::string& name, std::int64_t value) const;
    CpuMethodParts parts_;
};

Support CpuMethod::accepts(const std::string& name, std::int64_t value) const {
    for (const Tunable& tunable : parts_.tunables) {
        if (tunable.name != name) continue;
        if (std::ranges::find(tunable.values, value) != tunable.values.end()) return {};
        return Support::no(
            fmt::format("{}={} is not allowed; {} may be {}", name, value, name, fmt::join(tunable.values, ", ")));
    }
    return Support::no(fmt::format("{} has no tunable '{}'", parts_.info.id, name));
}

ResolvedLaunch CpuMethod::resolve(const ConvShape& shape, const LaunchConfig& config, const DeviceModel&) const {
    if (Support support = supports(shape); !support) return {support, {}, 0};
    if (config.block || config.grid)
        return {Support::no(parts_.info.id + " on the CPU takes no block and no grid"), {}, 0};
    for (const auto& [name, value] : config.tunables)
        if (Support support = accepts(name, value); !support) return {support, {}, 0};
    return {};
}

std::unique_ptr<Execution> CpuMethod::instantiate(const ConvShape& shape, const LaunchConfig& config,
                                                  Device& device) const {
    validate(shape);
    if (ResolvedLaunch launch = resolve(shape, config, device.info().model); !launch.support)
        throw Error(ErrorKind::usage,
                    fmt::format("{} cannot run {}: {}", parts_.info.id, to_string(shape), launch.support.reason));
    return make(shape, config);
}

std::unique_ptr<Execution> CpuMethod::make(const ConvShape& shape, const LaunchConfig& config) const {
    if (shape.groups == 1) return parts_.make(shape, config);
    return std::make_unique<GroupedExecution>(
        shape, [&](const ConvShape& one_group) { return parts_.make(one_group, config); });
}

}  // namespace

std::unique_ptr<Method> make_cpu_method(CpuMethodParts parts) {
    return std::make_unique<CpuMethod>(std::move(parts));
}

std::int64_t tunable_value(const Tunable& tunable, const LaunchConfig& config) {
    auto set = config.tunables.find(tunable.name);
    return set == config.tunables.end() ? tunable.default_value : set->second;
}

}  // namespace convscope
