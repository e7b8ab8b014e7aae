#include "kernels/simt/on_checked/trace_block.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/core/error.h"
#include "kernels/core/host_memory.h"
#include "kernels/layers/wanted_workload.h"
#include "kernels/simt/gpu_method.h"
#include "kernels/simt/on_checked/checked_device.h"
#include "kernels/simt/on_checked/run_watched.h"

namespace convscope {
namespace {

[[noreturn]] void reject_request(const std::string& sentence) {
    throw Error(ErrorKind::usage, sentence);
}

const Method& traceable(const Registry& watched, const std::string& id) {
    if (const Method* method = watched.find(id, DeviceKind::sim)) return *method;
    std::vector<std::string> ids;
    for (const Method* method : watched.methods(DeviceKind::sim)) ids.push_back(method->info().id);
    throw Error(ErrorKind::not_found, fmt::format("'{}' cannot be traced; there are {}", id, fmt::join(ids, ", ")));
}

/// A method with the limit on what is simulated whole set aside, where it lets that be.
class Traceable {
public:
    Traceable(const CheckedDevice& watched, const std::string& id)
        : method_(traceable(watched.registry(), id)), any_size_(dynamic_cast<const GpuMethod*>(&method_)) {}

    const MethodInfo& info() const { return method_.info(); }
    std::int64_t workspace_bytes(const ConvShape& shape) const { return method_.workspace_bytes(shape); }
    Support supports(const ConvShape& shape) const {
        return any_size_ ? any_size_->supports_any_size(shape) : method_.supports(shape);
    }
    ResolvedLaunch resolve(const ConvShape& shape, const LaunchConfig& launch, const DeviceModel& model) const {
        return any_size_ ? any_size_->resolve_any_size(shape, launch, model) : method_.resolve(shape, launch, model);
    }
    std::unique_ptr<Execution> instantiate(const ConvShape& shape, const LaunchConfig& launch, Device& device) const {
        return any_size_ ? any_size_->instantiate_any_size(shape, launch, device)
                         : method_.instantiate(shape, launch, device);
    }

private:
    const Method& method_;
    const GpuMethod* any_size_;
};

std::size_t choose_kernel(const std::string& wanted, const ResolvedLaunch& resolved) {
    if (wanted.empty()) return resolved.main;
    std::vector<std::string> names;
    for (const KernelLaunch& launch : resolved.kernels) names.push_back(launch.kernel);
    const auto found = std::find(names.begin(), names.end(), wanted);
    if (found == names.end())
        reject_request(fmt::format("no kernel '{}' here; give {}", wanted, fmt::join(names, ", ")));
    return static_cast<std::size_t>(found - names.begin());
}

/// Every word of the simulated GPU's memory goes with its history.
double trace_bytes(const Traceable& method, const ConvShape& shape) {
    const auto bytes = static_cast<double>(4 * (shape.x_elements() + 2 * shape.w_elements() + shape.y_elements()) +
                                           method.workspace_bytes(shape));
    return bytes * (1 + sizeof(simt::Cell) / 4.0);
}

TracePlan plan(const TraceRequest& request, const CheckedDevice& watched) {
    validate(request.workload.shape);
    const Traceable method(watched, request.method);
    const ConvShape& shape = request.workload.shape;
    if (Support support = method.supports(shape); !support)
        reject_request(fmt::format("{} cannot be traced on this workload: {}", request.method, support.reason));
    const DeviceModel& model = watched.device().info().model;
    const ResolvedLaunch resolved = method.resolve(shape, request.launch, model);
    if (!resolved.support)
        reject_request(fmt::format("{} cannot be launched so: {}", request.method, resolved.support.reason));
    return {method.info(), model, resolved.kernels, choose_kernel(request.kernel, resolved),
            trace_bytes(method, shape)};
}

void require_inside(const Dim3& block, const KernelLaunch& launch) {
    const Dim3& grid = launch.grid;
    const auto inside = [](std::int64_t index, std::int64_t size) { return index >= 0 && index < size; };
    if (inside(block.x, grid.x) && inside(block.y, grid.y) && inside(block.z, grid.z)) return;
    reject_request(fmt::format("block {},{},{} is outside the grid of {}, which is {}", block.x, block.y, block.z,
                               launch.kernel, to_string(grid)));
}

/// Dense multiply-adds behind one output of the method's multiplying kernel; 0 where its kernels do not multiply x
/// with w element by element.
std::int64_t multiplications_per_output(const MethodInfo& method, const ConvShape& shape) {
    const bool chooses = method.family == "ocpa", pools = method.family == "pecr" || method.family == "fused";
    if (pools || (chooses && shape.pooled())) return shape.reduction() * shape.pool_h * shape.pool_w;
    return method.family == "ecr" || chooses ? shape.reduction() : 0;
}

}  // namespace

TracePlan plan_trace(const TraceRequest& request) {
    return plan(request, CheckedDevice());
}

TraceResult trace_block(const TraceRequest& request, const std::stop_token& stop) {
    const TracePlan planned = plan_trace(request);
    require_inside(request.block, planned.launch());
    return trace_block(request, make_workload(request.workload, stop), stop);
}

TraceResult trace_block(const TraceRequest& request, const Workload& workload, const std::stop_token& stop) {
    CheckedDevice watched;
    TraceResult result{plan(request, watched), workload.spec, {}, {}, 0};
    const KernelLaunch& launch = result.plan.launch();
    require_inside(request.block, launch);
    const Traceable method(watched, request.method);
    const ConvShape& shape = request.workload.shape;
    require_host_memory(result.plan.bytes, "tracing " + method.info().id + " on this shape");
    result.multiplications_per_output = multiplications_per_output(method.info(), shape);

    simt::Recorder recorder(launch.kernel, request.block, request.max_events);
    simt::Checker& checker = watched.checker();
    checker.recorder = &recorder;
    checker.options.only_recorded = true;
    checker.options.max_seconds_before = request.max_seconds_before;
    checker.options.stop = stop;
    const auto execution = method.instantiate(shape, request.launch, watched.device());
    result.finding = run_watched(*execution, workload, stop);
    if (recorder.trace()) {
        result.trace = recorder.take();
        result.trace.whole = !result.finding;
    } else if (result.finding) {
        throw *result.finding;
    } else {
        reject_request(fmt::format("{} does not come to launch {} on this workload", request.method, launch.kernel));
    }
    return result;
}

}  // namespace convscope
