// tiled-multi2's launchers. Compiled once per dialect (kernels/simt/dialect.h).
#include <algorithm>

#include "kernels/simt/launch_plan.h"
#include "kernels/simt/shared_programs.h"
#include "kernels/tiled/tiled_methods.h"
#include "kernels/tiled/tiled_multi2_kernel.h"
#include "kernels/tiled/tiled_programs.h"

namespace convscope::CONVSCOPE_DIALECT {
namespace {

using Kernel = void (*)(KernelShape, Multi2Tiling, Global<const float>, Global<const float>, Global<float>);
using SumKernel = void (*)(Global<const float>, int, Global<float>);

template <int K, int Load>
Kernel by_sums(const Multi2Plan& plan) {
    if (plan.rows_per_thread == 4) return tiled_multi2_wide<K, Load>;
    return plan.filters_per_thread == 4 ? tiled_multi2<K, 4, Load> : tiled_multi2<K, 8, Load>;
}

template <int K>
Kernel by_load(const Multi2Plan& plan) {
    return plan.load == 4 ? by_sums<K, 4>(plan) : by_sums<K, 1>(plan);
}

/// The filters that the paper measures have kernels of their own.
Kernel choose(const ConvShape& shape, const Multi2Plan& plan) {
    switch (shape.r == shape.s ? shape.s : 0) {
        case 1:
            return by_load<1>(plan);
        case 3:
            return by_load<3>(plan);
        case 5:
            return by_load<5>(plan);
        default:
            return by_load<0>(plan);
    }
}

template <int Width>
SumKernel sum_of(std::int64_t parts) {
    switch (parts) {
        case 2:
            return tiled_multi2_sum<2, Width>;
        case 4:
            return tiled_multi2_sum<4, Width>;
        case 8:
            return tiled_multi2_sum<8, Width>;
        case 16:
            return tiled_multi2_sum<16, Width>;
        default:
            return tiled_multi2_sum<32, Width>;
    }
}

class Multi2Program final : public GpuProgram {
public:
    explicit Multi2Program(const GpuPlan& plan)
        : shape_(to_kernel_shape(plan.shape)),
          plan_(plan_multi2(plan.shape, plan.config, plan.model)),
          elements_(static_cast<int>(plan.shape.conv_elements())),
          kernel_(choose(plan.shape, plan_)),
          sum_(multi2_sum_width(plan.shape) == 4 ? sum_of<4>(plan_.splits) : sum_of<1>(plan_.splits)),
          launch_(plan.launch(multi2_kernel(plan_))),
          sum_launch_(plan_.splits > 1 ? plan.launch("tiled_multi2_sum") : KernelLaunch{}) {}

    void prepare_weights(Gpu& gpu, const GpuBuffers& buffers) override {
        constexpr std::int64_t threads = 128, max_blocks = 65535;
        const std::int64_t rows = std::int64_t{shape_.c} * shape_.r * shape_.s, pitch = plan_.tiling.weights_pitch;
        launch(gpu, tiled_multi2_weights,
               kernel_launch("tiled_multi2_weights", "weights",
                             {ceil_div(pitch, threads), std::min(rows, max_blocks), 1}, {threads, 1, 1}),
               shape_, plan_.tiling.weights_pitch, buffers.w, buffers.prepared_weights);
    }
    void run(Gpu& gpu, const GpuBuffers& buffers, StageClock* stages) override {
        mark(stages, "multiply");
        float* out = plan_.splits > 1 ? reinterpret_cast<float*>(buffers.workspace) : buffers.conv;
        launch(gpu, kernel_, launch_, shape_, plan_.tiling, buffers.x, buffers.prepared_weights, out);
        if (plan_.splits > 1) launch(gpu, sum_, sum_launch_, out, elements_, buffers.conv);
    }
    int registers(const std::string& kernel) const override {
        return kernel == "tiled_multi2_sum" ? registers_of(sum_) : registers_of(kernel_);
    }

private:
    const KernelShape shape_;
    const Multi2Plan plan_;
    const int elements_;
    const Kernel kernel_;
    const SumKernel sum_;
    const KernelLaunch launch_, sum_launch_;
};

}  // namespace

std::unique_ptr<GpuProgram> make_multi2(const GpuPlan& plan) {
    return std::make_unique<Multi2Program>(plan);
}

}  // namespace convscope::CONVSCOPE_DIALECT
