// The launcher and registration of ecr6 and pecr6. Compiled for compute capability 9.0a alone.
#include "kernels/ecr/ecr6_kernel.h"
#include "kernels/ecr/ecr6_method.h"
#include "kernels/ecr/ecr6_registration.h"
#include "kernels/ecr/ecr6_sum_kernel.h"
#include "kernels/ecr/ecr6_weights_kernel.h"
#include "kernels/hopper/tensor_map.h"
#include "kernels/simt/gpu_execution.h"
#include "kernels/simt/launch_plan.h"
#include "kernels/simt/shared_programs.h"

namespace convscope::on_cuda {
namespace {

using Ecr6Kernel = void (*)(KernelShape, Ecr6Tiling, CUtensorMap, const float*, const float*, float*);

Ecr6Kernel kernel_of(const Ecr6Plan& plan) {
    if (plan.filters == 128) return plan.groups == 2 ? ecr6<128, 2> : ecr6<128, 1>;
    return plan.groups == 2 ? ecr6<64, 2> : ecr6<64, 1>;
}

template <bool pools>
class Ecr6Program final : public GpuProgram {
public:
    explicit Ecr6Program(const GpuPlan& plan)
        : shape_(plan.shape),
          sizes_(to_kernel_shape(plan.shape)),
          plan_(plan_ecr6(plan.shape, ecr6_choice(plan.config), pools, plan.model)),
          kernel_(kernel_of(plan_)),
          multiply_(plan.launch("ecr6")) {
        const KernelLaunch* sum = plan.find("ecr6_sum");
        partial_ = sum != nullptr;
        if (partial_) sum_ = *sum;
    }

    void bind(Gpu& gpu, const GpuBuffers& buffers) override {
        if (!plan_.tiling.gathers)
            x_map_ = hopper::map_of_pixels(buffers.x, shape_, plan_.tiling.box_rows, plan_.tiling.box_columns,
                                           sizes_.stride_h, sizes_.stride_w);
        const std::int64_t needed = ecr6_partial_bytes(shape_, plan_.tiling);
        if (needed > ecr6_standard_partial_bytes(shape_, pools)) more_sums_ = GpuMemory(gpu, needed);
    }
    void unbind() override { more_sums_ = GpuMemory(); }
    std::int64_t bound_bytes() const override { return static_cast<std::int64_t>(more_sums_.bytes()); }

    void prepare_weights(Gpu& gpu, const GpuBuffers& buffers) override {
        constexpr std::int64_t threads = 256;
        const Ecr6Tiling& tiling = plan_.tiling;
        const std::int64_t weights =
            std::int64_t{tiling.slices} * tiling.taps_h * tiling.taps_w * tiling.leading * ecr6_slice;
        launch(gpu, ecr6_weights,
               kernel_launch("ecr6_weights", "weights", {ceil_div(weights, threads), 1, 1}, {threads, 1, 1}), sizes_,
               tiling, buffers.w, buffers.prepared_weights);
    }
    void run(Gpu& gpu, const GpuBuffers& buffers, StageClock* stages) override {
        float* sums = more_sums_.get() ? more_sums_.floats() : reinterpret_cast<float*>(buffers.workspace);
        mark(stages, "multiply");
        launch(gpu, kernel_, multiply_, sizes_, plan_.tiling, x_map_, buffers.x, buffers.prepared_weights,
               partial_ ? sums : buffers.conv);
        if (!partial_) return;
        if constexpr (pools) mark(stages, "pool");
        hopper::launch_next(gpu, ecr6_sum<pools>, sum_, sizes_, plan_.tiling, sums, buffers.conv);
    }
    int registers(const std::string& kernel) const override {
        return kernel == "ecr6_sum" ? registers_of(ecr6_sum<pools>) : registers_of(kernel_);
    }

private:
    const ConvShape shape_;
    const KernelShape sizes_;
    const Ecr6Plan plan_;
    const Ecr6Kernel kernel_;
    const KernelLaunch multiply_;
    KernelLaunch sum_;
    bool partial_ = false;
    CUtensorMap x_map_{};
    GpuMemory more_sums_;  ///< where a person asks for more than the workspace holds
};

}  // namespace

void register_ecr6(Registry& registry) {
    registry.add(make_ecr6(make_program<Ecr6Program<false>>, make_nhwc_pool, hopper::missing_gpu()));
}
void register_pecr6(Registry& registry) {
    registry.add(make_pecr6(make_program<Ecr6Program<true>>, hopper::missing_gpu()));
}

}  // namespace convscope::on_cuda
