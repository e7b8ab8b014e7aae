// tiled-single2's launcher. Compiled once per dialect (kernels/simt/dialect.h).
#include "kernels/simt/launch_plan.h"
#include "kernels/simt/shared_programs.h"
#include "kernels/tiled/tiled_methods.h"
#include "kernels/tiled/tiled_programs.h"
#include "kernels/tiled/tiled_single2_kernel.h"

namespace convscope::CONVSCOPE_DIALECT {
namespace {

using Kernel = void (*)(KernelShape, Single2Tiling, Global<const float>, Global<const float>, Global<float>);

template <int K, int Rows, int Step>
Kernel by_load(const Single2Plan& plan) {
    // Loads of any width are the same for a filter of any size, and quads that start at different columns have no
    // loads of four.
    if constexpr (K > 0) {
        if (plan.load == 2) return tiled_single2<K, Rows, Step, 2>;
        if constexpr (Step == 1)
            if (plan.load == 4) return tiled_single2<K, Rows, Step, 4>;
    }
    return tiled_single2<K, Rows, Step, 1>;
}

template <int K>
Kernel by_rows(const Single2Plan& plan) {
    if (plan.rows_per_thread == 1) return by_load<K, 1, 1>(plan);
    return plan.tiling.step == 1 ? by_load<K, 2, 1>(plan) : by_load<K, 2, 2>(plan);
}

/// The filters that the paper measures have kernels of their own.
Kernel choose(const ConvShape& shape, const Single2Plan& plan) {
    switch (shape.r == shape.s ? shape.s : 0) {
        case 1:
            return by_rows<1>(plan);
        case 3:
            return by_rows<3>(plan);
        case 5:
            return by_rows<5>(plan);
        default:
            return by_rows<0>(plan);
    }
}

class Single2Program final : public GpuProgram {
public:
    explicit Single2Program(const GpuPlan& plan)
        : shape_(to_kernel_shape(plan.shape)),
          plan_(plan_single2(plan.shape, plan.config, plan.model)),
          kernel_(choose(plan.shape, plan_)),
          launch_(plan.launch("tiled_single2")) {}

    void prepare_weights(Gpu& gpu, const GpuBuffers& buffers) override {
        constexpr std::int64_t threads = 256;
        const std::int64_t floats = std::int64_t{shape_.k} * plan_.tiling.pitch;
        launch(gpu, tiled_single2_weights,
               kernel_launch("tiled_single2_weights", "weights", {ceil_div(floats, threads), 1, 1}, {threads, 1, 1}),
               shape_, plan_.tiling.pitch, buffers.w, buffers.prepared_weights);
    }
    void run(Gpu& gpu, const GpuBuffers& buffers, StageClock* stages) override {
        mark(stages, "multiply");
        launch(gpu, kernel_, launch_, shape_, plan_.tiling, buffers.x, buffers.prepared_weights, buffers.conv);
    }
    int registers(const std::string&) const override { return registers_of(kernel_); }

private:
    const KernelShape shape_;
    const Single2Plan plan_;
    const Kernel kernel_;
    const KernelLaunch launch_;
};

}  // namespace

std::unique_ptr<GpuProgram> make_single2(const GpuPlan& plan) {
    return std::make_unique<Single2Program>(plan);
}

}  // namespace convscope::CONVSCOPE_DIALECT
