#include "kernels/simt/gpu_method.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kernels/core/error.h"
#include "kernels/simt/gpu_execution.h"
#include "kernels/simt/kernel_registers.h"
#include "kernels/simt/pool_launch.h"
#include "kernels/simt/simulated_time.h"

namespace convscope {
namespace {

Support affordable(double steps) {
    const double seconds = steps / simt::steps_per_second;
    if (seconds <= simt::max_simulated_seconds) return {};
    return Support::no(
        fmt::format("simulating this shape would take about {}; the simulated GPU takes shapes of up "
                    "to {} (make it smaller, or look at single blocks of it with convscope trace)",
                    simt::describe_seconds(seconds), simt::describe_seconds(simt::max_simulated_seconds)));
}

std::string list(const std::vector<std::int64_t>& values) {
    return fmt::format("{}", fmt::join(values, ", "));
}

Support positive(const char* what, const std::optional<Dim3>& size) {
    if (!size || (size->x >= 1 && size->y >= 1 && size->z >= 1)) return {};
    return Support::no(fmt::format("{} is {}; every part must be at least 1", what, to_string(*size)));
}

std::int64_t weight_bytes(const ConvShape& shape) {
    return shape.w_elements() * std::int64_t{sizeof(float)};
}

}  // namespace

GpuMethod::GpuMethod(MethodInfo info, MakeGpuProgram make_program, MakeGpuProgram make_pool)
    : info_(std::move(info)), make_program_(make_program), make_pool_(make_pool) {}

Support GpuMethod::can_run(const ConvShape& shape) const {
    if (Support accepted = accepts(shape); !accepted) return accepted;
    return info_.device == DeviceKind::sim ? affordable(thread_steps(shape)) : Support{};
}

Support GpuMethod::supports_any_size(const ConvShape& shape) const {
    if (Support taken = takes(shape); !taken) return taken;
    return accepts(shape);
}

Support GpuMethod::check_config(const ConvShape& shape, const LaunchConfig& config) const {
    const LaunchSpace space = launch_space(shape);
    if (config.block && !space.block_free) return Support::no(info_.id + " takes no block");
    if (config.grid && !space.grid_free)
        return Support::no(info_.id + "'s grid follows from the shape and the block; leave the grid out");
    if (Support block = positive("block", config.block); !block) return block;
    if (Support grid = positive("grid", config.grid); !grid) return grid;
    for (const auto& [name, value] : config.tunables) {
        const auto known = std::find_if(space.tunables.begin(), space.tunables.end(),
                                        [&name = name](const Tunable& t) { return t.name == name; });
        if (known == space.tunables.end()) return Support::no(fmt::format("{} has no tunable '{}'", info_.id, name));
        if (std::find(known->values.begin(), known->values.end(), value) == known->values.end())
            return Support::no(fmt::format("{} is {}; it can be {}", name, value, list(known->values)));
    }
    return {};
}

ResolvedLaunch GpuMethod::resolve(const ConvShape& shape, const LaunchConfig& config, const DeviceModel& model) const {
    if (Support supported = supports(shape); !supported) return reject(supported.reason);
    return resolve_any_size(shape, config, model);
}

ResolvedLaunch GpuMethod::resolve_any_size(const ConvShape& shape, const LaunchConfig& config,
                                           const DeviceModel& model) const {
    if (Support supported = supports_any_size(shape); !supported) return reject(supported.reason);
    if (Support checked = check_config(shape, config); !checked) return reject(checked.reason);
    ResolvedLaunch resolved = plan(shape, config, model);
    if (!resolved.support) return resolved;
    if (conv_bytes(shape) > 0) resolved.kernels.push_back(plan_pool(shape));
    for (KernelLaunch& kernel : resolved.kernels) {
        // The table has a template's largest instance; who plans another says so.
        if (kernel.registers == 0) kernel.registers = compiled_registers(kernel.kernel);
        if (Support fit = fits(model, kernel); !fit) {
            resolved.support = Support::no(kernel.kernel + ": " + fit.reason);
            return resolved;
        }
    }
    return resolved;
}

std::int64_t GpuMethod::conv_bytes(const ConvShape& shape) const {
    return shape.pooled() && !fuses_pooling() ? shape.conv_elements() * std::int64_t{sizeof(float)} : 0;
}

std::int64_t GpuMethod::prepared_weight_bytes(const ConvShape& shape) const {
    return prepares_weights() ? weight_bytes(shape) : 0;
}

std::int64_t GpuMethod::workspace_bytes(const ConvShape& shape) const {
    const std::int64_t beyond_w = std::max<std::int64_t>(0, prepared_weight_bytes(shape) - weight_bytes(shape));
    return format_bytes(shape) + conv_bytes(shape) + beyond_w;
}

std::unique_ptr<Execution> GpuMethod::instantiate(const ConvShape& shape, const LaunchConfig& config,
                                                  Device& device) const {
    return instantiate(shape, config, device, resolve(shape, config, device.info().model));
}

std::unique_ptr<Execution> GpuMethod::instantiate_any_size(const ConvShape& shape, const LaunchConfig& config,
                                                           Device& device) const {
    return instantiate(shape, config, device, resolve_any_size(shape, config, device.info().model));
}

std::unique_ptr<Execution> GpuMethod::instantiate(const ConvShape& shape, const LaunchConfig& config, Device& device,
                                                  const ResolvedLaunch& resolved) const {
    if (!resolved.support) throw Error(ErrorKind::usage, info_.id + ": " + resolved.support.reason);
    if (!device.gpu()) throw std::logic_error("instantiate: a GPU method on a device without a Gpu");
    const GpuPlan plan{shape, resolved.kernels, config, device.info().model};
    return std::make_unique<GpuExecution>(*this, plan, *device.gpu(), make_program_(plan),
                                          conv_bytes(shape) > 0 ? make_pool_(plan) : nullptr);
}

}  // namespace convscope
