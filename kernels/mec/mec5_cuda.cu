// The launcher and registration of mec5, mec6 and mec7. Compiled for compute capability 9.0a alone.
#include "kernels/hopper/tensor_map.h"
#include "kernels/mec/lower_strips.h"
#include "kernels/mec/mec5_kernels.h"
#include "kernels/mec/mec5_method.h"
#include "kernels/method/registry.h"
#include "kernels/simt/launch_plan.h"
#include "kernels/simt/shared_programs.h"

namespace convscope::on_cuda {
namespace {

using Mec5Kernel = void (*)(KernelShape, Mec5Tiling, const float*, const float*, float*);

template <bool split, int width>
Mec5Kernel kernel_of(const Mec5Plan& plan) {
    if (plan.outputs == 256 && plan.filters == 64) return mec5<Mec5Tile<256, 64, split, width>>;
    if constexpr (!split)
        if (plan.outputs == 256) return mec5<Mec5Tile<256, 128, split, width>>;
    return plan.filters == 128 ? mec5<Mec5Tile<128, 128, split, width>> : mec5<Mec5Tile<128, 64, split, width>>;
}

template <bool lowers, bool split>
class Mec5Program final : public GpuProgram {
public:
    explicit Mec5Program(const GpuPlan& plan)
        : shape_(plan.shape),
          sizes_(to_kernel_shape(plan.shape)),
          plan_(plan_mec5_method(plan.shape, plan.config, plan.model, {lowers, split})),
          launch_(plan.launch("mec5")),
          kernel_(plan_.wide ? kernel_of<split, 4>(plan_) : kernel_of<split, 1>(plan_)) {}

    void prepare_weights(Gpu& gpu, const GpuBuffers& buffers) override {
        constexpr std::int64_t threads = 256;
        const std::int64_t weights = std::int64_t{plan_.tiling.k_tiles} * plan_.tiling.leading * mec5_tile_k;
        launch(gpu, mec5_weights<split>,
               kernel_launch("mec5_weights", "weights", {ceil_div(weights, threads), 1, 1}, {threads, 1, 1}), sizes_,
               plan_.tiling, buffers.w, buffers.prepared_weights);
    }
    void run(Gpu& gpu, const GpuBuffers& buffers, StageClock* stages) override {
        const float* from = buffers.x;
        if constexpr (lowers) {
            auto* L = reinterpret_cast<float*>(buffers.workspace);
            mark(stages, "convert");
            lower_strips(gpu, shape_, buffers.x, L);
            from = L;
        }
        mark(stages, "multiply");
        launch_clusters(gpu, kernel_, launch_, sizes_, plan_.tiling, from, buffers.prepared_weights, buffers.conv);
    }
    int registers(const std::string& kernel) const override {
        return kernel == "mec3_lower" ? strip_registers(shape_) : registers_of(kernel_);
    }

private:
    const ConvShape shape_;
    const KernelShape sizes_;
    const Mec5Plan plan_;
    const KernelLaunch launch_;
    const Mec5Kernel kernel_;
};

}  // namespace

void register_mec5(Registry& registry) {
    for (auto& method :
         make_mec5_methods(make_program<Mec5Program<true, true>>, make_program<Mec5Program<false, true>>,
                           make_program<Mec5Program<false, false>>, make_nhwc_pool, hopper::missing_gpu()))
        registry.add(std::move(method));
}

}  // namespace convscope::on_cuda
