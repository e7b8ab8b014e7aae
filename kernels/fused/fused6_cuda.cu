// fused6's launcher and registration. Compiled for compute capability 9.0a alone.
#include <algorithm>

#include "kernels/fused/fused6_kernels.h"
#include "kernels/fused/fused6_plan.h"
#include "kernels/fused/fused_methods.h"
#include "kernels/hopper/tensor_map.h"
#include "kernels/method/registry.h"
#include "kernels/simt/launch_plan.h"
#include "kernels/simt/shared_programs.h"

namespace convscope::on_cuda {
namespace {

using Fused6Kernel = void (*)(KernelShape, Fused6Tiling, CUtensorMap, const float*, const float*, float*);

Fused6Kernel kernel_of(const Fused6Plan& plan) {
    if (plan.filters == 128) return plan.columns == 16 ? fused6<128, 16> : fused6<128, 8>;
    return plan.columns == 16 ? fused6<64, 16> : fused6<64, 8>;
}

class Fused6Program final : public GpuProgram {
public:
    explicit Fused6Program(const GpuPlan& plan)
        : shape_(plan.shape),
          sizes_(to_kernel_shape(plan.shape)),
          plan_(plan_fused6(plan.shape, plan.config, plan.model)),
          launch_(plan.kernels.front()),
          kernel_(kernel_of(plan_)) {}

    void bind(Gpu&, const GpuBuffers& buffers) override {
        if (shape_.c % 4 == 0)
            x_map_ = hopper::map_of_pixels(buffers.x, shape_, plan_.tiling.box_rows, plan_.tiling.box_columns);
    }
    void prepare_weights(Gpu& gpu, const GpuBuffers& buffers) override {
        constexpr std::int64_t threads = 256;
        const KernelLaunch at = kernel_launch(
            "fused6_weights", "weights", {ceil_div(fused6_weight_elements(shape_), threads), 1, 1}, {threads, 1, 1});
        launch(gpu, fused6_weights, at, sizes_, plan_.tiling, buffers.w, buffers.prepared_weights);
    }
    void run(Gpu& gpu, const GpuBuffers& buffers, StageClock* stages) override {
        mark(stages, "multiply");
        launch(gpu, kernel_, launch_, sizes_, plan_.tiling, x_map_, buffers.x, buffers.prepared_weights, buffers.y);
    }
    int registers(const std::string&) const override { return registers_of(kernel_); }

private:
    const ConvShape shape_;
    const KernelShape sizes_;
    const Fused6Plan plan_;
    const KernelLaunch launch_;
    const Fused6Kernel kernel_;
    CUtensorMap x_map_{};
};

}  // namespace

void register_fused6(Registry& registry) {
    registry.add(make_fused6(make_program<Fused6Program>, hopper::missing_gpu()));
}

}  // namespace convscope::on_cuda
