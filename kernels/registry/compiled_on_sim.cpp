#include "kernels/registry/compiled_on_sim.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "kernels/core/error.h"
#include "kernels/fused/fused_methods.h"
#include "kernels/mec/mec5_method.h"
#include "kernels/method/any_size.h"
#include "kernels/method/device.h"
#include "kernels/method/restricts_weights.h"
#include "kernels/pixel/pixel1_method.h"
#include "kernels/simt/launch_plan.h"
#include "kernels/simt/simulated_time.h"
#include "kernels/tensor/tensor1_method.h"
#include "kernels/tensor/tensor3_method.h"
#include "kernels/union/union1_method.h"
#include "kernels/weights/nm_method.h"

namespace convscope {
namespace {

/// Multiply-adds of the dense layer for each second of one core, of the slowest of these methods (counting_speed
/// measures it).
constexpr double products_per_second = 1.5e7;

class CompiledOnSim final : public Method, public PlansAnySize, public RestrictsWeights {
public:
    /// 'planned' has no kernels, or others: it is never run.
    CompiledOnSim(std::unique_ptr<Method> planned, const CompiledSource& source)
        : planned_(std::move(planned)), info_(planned_->info()), source_(source) {
        info_.device = DeviceKind::sim;
        info_.as_compiled = true;
    }

    const MethodInfo& info() const override { return info_; }
    LaunchSpace launch_space(const ConvShape& shape) const override { return planned_->launch_space(shape); }
    ResolvedLaunch resolve(const ConvShape& shape, const LaunchConfig& config,
                           const DeviceModel& model) const override {
        if (const Support supported = supports(shape); !supported) return reject(supported.reason);
        return planned_->resolve(shape, config, model);
    }
    Support supports_any_size(const ConvShape& shape) const override {
        return convscope::supports_any_size(*planned_, shape);
    }
    ResolvedLaunch resolve_any_size(const ConvShape& shape, const LaunchConfig& config,
                                    const DeviceModel& model) const override {
        return convscope::resolve_any_size(*planned_, shape, config, model);
    }
    std::int64_t workspace_bytes(const ConvShape& shape) const override { return planned_->workspace_bytes(shape); }
    ExecutedWork executed(const Workload& workload, const std::string& choice) const override {
        return planned_->executed(workload, choice);
    }
    Support takes_weights(const Tensor& w, const LaunchConfig& config) const override {
        return convscope::takes_weights(*planned_, w, config);
    }
    Support may_take_weights(const WorkloadSpec& layer, const LaunchConfig& config) const override {
        return convscope::may_take_weights(*planned_, layer, config);
    }
    std::unique_ptr<Execution> instantiate(const ConvShape& shape, const LaunchConfig& config,
                                           Device& device) const override {
        if (const Support support = resolve(shape, config, device.info().model).support; !support)
            throw Error(ErrorKind::usage, info_.id + ": " + support.reason);
        std::string reason;
        CompiledMethods* const compiled = source_.open(&reason);
        if (!compiled) throw Error(ErrorKind::failed, info_.id + " cannot run: " + reason);
        return compiled->instantiate(info_.id, shape, config);
    }

private:
    Support can_run(const ConvShape& shape) const override {
        if (const Support supported = supports_any_size(shape); !supported) return supported;
        if (const std::string missing = source_.missing(); !missing.empty())
            return Support::no(fmt::format("{} is simulated as nvcc compiled it: {}", info_.id, missing));
        const double seconds =
            static_cast<double>(shape.conv_elements()) * static_cast<double>(shape.reduction()) / products_per_second;
        if (seconds <= simt::max_simulated_seconds) return {};
        return Support::no(
            fmt::format("simulating this shape would take about {}; the simulated GPU takes shapes of "
                        "up to {} (make it smaller)",
                        simt::describe_seconds(seconds), simt::describe_seconds(simt::max_simulated_seconds)));
    }

    const std::unique_ptr<Method> planned_;
    MethodInfo info_;
    const CompiledSource source_;
};

}  // namespace

void register_compiled_on_sim(Registry& registry, CompiledSource source) {
    const auto add = [&](std::unique_ptr<Method> planned) {
        registry.add(std::make_unique<CompiledOnSim>(std::move(planned), source));
    };
    const std::string no_gpu_missing;
    for (auto& method : make_mec5_methods(nullptr, nullptr, nullptr, nullptr, no_gpu_missing)) add(std::move(method));
    add(make_fused6(nullptr, no_gpu_missing));
    add(make_tensor1(nullptr, nullptr, no_gpu_missing));
    add(make_tensor2(nullptr, no_gpu_missing));
    add(make_tensor3(registry, DeviceKind::sim));
    add(make_union1(nullptr, nullptr, no_gpu_missing));
    add(make_pixel1(nullptr, nullptr, no_gpu_missing));
    add(make_pixel2(nullptr, nullptr, no_gpu_missing));
    add(make_nm1(nullptr, nullptr));
}

}  // namespace convscope
