// Launches ecr4's kernels, for ecr4 and pecr4.
#pragma once

#include "kernels/ecr/ecr4_kernels.h"
#include "kernels/ecr/ecr4_plan.h"
#include "kernels/ecr/ecr4_sum_kernel.h"
#include "kernels/simt/gpu_execution.h"
#include "kernels/simt/shared_programs.h"

namespace convscope::CONVSCOPE_DIALECT {

using Ecr4Kernel = void (*)(KernelShape, Ecr4Tiling, Global<const float>, Global<const float>, Global<float>);

/// The kernel for a filter and a choice of filters per lane and windows per warp. Defined in ecr4_gpu.cpp.
Ecr4Kernel choose_ecr4(const ConvShape&, const Ecr4Choice&);

template <bool pool>
class Ecr4Program final : public GpuProgram {
public:
    explicit Ecr4Program(const GpuPlan& plan)
        : conv_shape_(plan.shape),
          shape_(to_kernel_shape(plan.shape)),
          choice_(ecr4_choice(plan.shape, plan.config, plan.model)),
          kernel_(choose_ecr4(plan.shape, choice_)),
          multiply_(plan.launch(ecr4_kernel_name(choice_))),
          early_(plan.model.cc_major >= 9 && multiply_.shared_bytes <= 113 * 1024) {
        const KernelLaunch* sum = plan.find("ecr4_sum");
        partial_ = sum != nullptr;
        if (partial_) sum_ = *sum;
        // A launch asks a GPU for dynamic memory only; the simulated one reports all of it.
        if (device_kind == DeviceKind::cuda) sum_.shared_bytes = 0;
        tiling_ = ecr4_tiling(plan.shape, choice_, partial_);
    }

    void bind(Gpu& gpu, const GpuBuffers&) override {
        const Ecr4Choice default_value = ecr4_default(conv_shape_);
        const bool held = ecr4_partial(conv_shape_, default_value, pool) && choice_.split_k <= default_value.split_k;
        if (partial_ && !held) more_sums_ = GpuMemory(gpu, ecr4_partial_bytes(conv_shape_, choice_.split_k));
    }
    void unbind() override { more_sums_ = GpuMemory(); }
    std::int64_t bound_bytes() const override { return static_cast<std::int64_t>(more_sums_.bytes()); }

    void prepare_weights(Gpu& gpu, const GpuBuffers& buffers) override {
        const std::int64_t leading = ecr4_leading(conv_shape_);
        if (leading > conv_shape_.k)
            gpu.fill_bytes(buffers.prepared_weights, 0,
                           static_cast<std::size_t>(conv_shape_.reduction() * leading) * sizeof(float));
        transpose_weights(gpu, conv_shape_, buffers, WeightOrder::crs_k, leading);
    }
    void run(Gpu& gpu, const GpuBuffers& buffers, StageClock* stages) override {
        float* sums = more_sums_.get() ? more_sums_.floats() : reinterpret_cast<float*>(buffers.workspace);
        mark(stages, "multiply");
        launch(gpu, kernel_, multiply_, shape_, tiling_, buffers.x, buffers.prepared_weights,
               partial_ ? sums : buffers.conv);
        if (!partial_) return;
        if constexpr (pool) mark(stages, "pool");
        launch_dependent(early_, gpu, ecr4_sum<pool>, sum_, shape_, tiling_, sums, buffers.conv);
    }
    int registers(const std::string& kernel) const override {
        return kernel == "ecr4_sum" ? registers_of(ecr4_sum<pool>) : registers_of(kernel_);
    }

private:
    const ConvShape conv_shape_;
    const KernelShape shape_;
    const Ecr4Choice choice_;
    const Ecr4Kernel kernel_;
    const KernelLaunch multiply_;
    /// ecr4_sum's blocks may come before the products are done; where these leave them no room, that was seen to cost.
    const bool early_;
    KernelLaunch sum_;
    bool partial_ = false;
    Ecr4Tiling tiling_{};
    GpuMemory more_sums_;  ///< where a user asks for more than the workspace holds
};

}  // namespace convscope::CONVSCOPE_DIALECT
