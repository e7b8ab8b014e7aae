// Shared by ecr4 and pecr4 as methods: the launch space, the weights, the partial sums.
#pragma once

#include <utility>

#include "kernels/ecr/ecr4_plan.h"
#include "kernels/simt/gpu_method.h"

namespace convscope {

/// With 'pools', sums are always partial: pooling happens where they are added up.
class Ecr4Method : public GpuMethod {
public:
    Ecr4Method(MethodInfo info, MakeGpuProgram program, MakeGpuProgram pool, bool pools)
        : GpuMethod(std::move(info), program, pool), pools_(pools) {}

    LaunchSpace launch_space(const ConvShape& shape) const override { return {false, false, ecr4_tunables(shape)}; }
    bool fuses_pooling() const override { return pools_; }
    /// ecr4_rows multiplies every four inputs that are not all zeros, zeros of them included: that is not counted.
    ExecutedWork executed(const Workload& workload, const std::string& choice) const override {
        ExecutedWork work = GpuMethod::executed(workload, choice);
        if (ecr4_default(workload.spec.shape).rows) work.flops.reset();
        return work;
    }
    bool prepares_weights() const override { return true; }
    std::int64_t prepared_weight_bytes(const ConvShape& shape) const override {
        return shape.reduction() * ecr4_leading(shape) * std::int64_t{sizeof(float)};
    }
    /// Bytes of the default choice; a choice of more slices takes more (Execution::workspace_bytes()).
    std::int64_t format_bytes(const ConvShape& shape) const override {
        const Ecr4Choice choice = ecr4_default(shape);
        return ecr4_partial(shape, choice, pools_) ? ecr4_partial_bytes(shape, choice.split_k) : 0;
    }

private:
    Support accepts(const ConvShape& shape) const override {
        if (!pools_ || shape.pooled()) return {};
        return Support::no(info().id + " computes convolution and pooling together; this shape has no pooling");
    }
    double thread_steps(const ConvShape& shape) const override { return 3 * shape.flops_dense(); }
    ResolvedLaunch plan(const ConvShape& shape, const LaunchConfig& config, const DeviceModel& model) const override {
        return ecr4_launches(shape, ecr4_choice(shape, config, model), pools_);
    }

    const bool pools_;
};

}  // namespace convscope
