// The columns of a row that are known before anything has run.
#include <fmt/format.h>

#include "kernels/core/host_memory.h"
#include "kernels/core/version.h"
#include "kernels/measure/measure.h"
#include "kernels/measure/run_stamp.h"

namespace convscope {
namespace {

/// "tile=32;unroll=4": every tunable in the order of the launch space, then names that the method does not know.
std::string tunables_text(const LaunchSpace& space, const LaunchConfig& launch) {
    auto requested = launch.tunables;
    std::string text;
    auto add = [&](const std::string& name, std::int64_t value) {
        text += fmt::format("{}{}={}", text.empty() ? "" : ";", name, value);
    };
    for (const Tunable& tunable : space.tunables) {
        const auto found = requested.find(tunable.name);
        add(tunable.name, found == requested.end() ? tunable.default_value : found->second);
        if (found != requested.end()) requested.erase(found);
    }
    for (const auto& [name, value] : requested) add(name, value);
    return text;
}

void add_device(Record& record, const DeviceInfo& device) {
    record.device = device.id;
    record.device_name = device.name;
    record.compute_capability = device.compute_capability;
    record.driver_version = device.driver_version;
    record.cuda_version = device.cuda_version;
    record.vendor_version = device.vendor_version;
}

void add_launch(Record& record, const Method& method, const ConvShape& shape, const LaunchConfig& launch,
                const DeviceModel& model) {
    if (Support support = method.supports(shape); !support) {
        record.status = Status::not_supported;
        record.status_reason = support.reason;
        return;
    }
    record.tunables = tunables_text(method.launch_space(shape), launch);
    const ResolvedLaunch resolved = method.resolve(shape, launch, model);
    record.quantities = resolved.quantities;
    if (!resolved.support) {
        record.status = Status::invalid_config;
        record.status_reason = resolved.support.reason;
        return;
    }
    if (resolved.kernels.empty()) return;
    const KernelLaunch& main = resolved.kernels.at(resolved.main);
    record.block = main.block;
    record.grid = main.grid;
    record.shared_bytes = static_cast<std::int64_t>(main.shared_bytes);
}

Record base_record(const Device& device, const Method& method, const WorkloadSpec& workload, const LaunchConfig& launch,
                   const MeasureOptions& options) {
    Record record;
    record.run_id = options.run_id;
    record.timestamp_utc = utc_now();
    record.app_version = program_version();
    add_device(record, device.info());
    const MethodInfo& info = method.info();
    record.method = info.id;
    record.family = info.family;
    record.dtype = to_string(info.dtype);
    record.layout = to_string(info.layout);
    record.workload = workload.name;
    record.shape = workload.shape;
    record.source = to_string(workload.source);
    record.seed = workload.seed;
    record.sparsity_target = workload.sparsity;
    record.weight_sparsity_target = workload.weight_sparsity;
    record.weight_pattern = to_string(workload.weight_pattern);
    record.timing_scope = to_string(options.scope);
    record.cache_mode = to_string(options.cache);
    record.block = launch.block;
    record.grid = launch.grid;
    return record;
}

}  // namespace

Record planned_record(const Device& device, const Method& method, const WorkloadSpec& workload,
                      const LaunchConfig& launch, const MeasureOptions& options) {
    Record record = base_record(device, method, workload, launch, options);
    record.flops_dense = workload.shape.flops_dense();
    add_launch(record, method, workload.shape, launch, device.info().model);
    return record;
}

Record rejected_record(const Device& device, const Method& method, const WorkloadSpec& workload,
                       const LaunchConfig& launch, const MeasureOptions& options, const std::string& reason) {
    Record record = base_record(device, method, workload, launch, options);
    record.tunables = tunables_text({}, launch);
    record.status = Status::invalid_config;
    record.status_reason = reason;
    return record;
}

void require_room_to_check(const ConvShape& shape) {
    const auto inputs = static_cast<double>(shape.x_elements() + shape.w_elements());
    const auto padded = static_cast<double>(shape.n * shape.c * shape.padded_h() * shape.padded_w());
    const auto weights = static_cast<double>(shape.w_elements());
    const auto outputs = static_cast<double>(shape.conv_elements() + 2 * shape.y_elements());
    // x and w in float; for the reference w and the padded x in double; its convolution, result and scale in float.
    require_host_memory(4 * inputs + 8 * (padded + weights) + 4 * outputs,
                        fmt::format("the layer {}, with what checking it takes,", to_string(shape)));
}

}  // namespace convscope
