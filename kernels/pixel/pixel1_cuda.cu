// The launcher and registration of pixel1 and pixel2. Compiled for compute capability 9.0a alone.
#include "kernels/hopper/filter_scales_kernel.h"
#include "kernels/hopper/tensor_map.h"
#include "kernels/method/registry.h"
#include "kernels/pixel/pixel1_kernels.h"
#include "kernels/pixel/pixel1_method.h"
#include "kernels/simt/launch_plan.h"
#include "kernels/simt/shared_programs.h"

namespace convscope::on_cuda {
namespace {

using Pixel1Kernel = void (*)(KernelShape, Pixel1Tiling, const float*, const unsigned char*, const float*, float*);

template <Pixel1Products Products>
Pixel1Kernel kernel_of(const Pixel1Tiling& tiling, const KernelShape& shape) {
    const bool quads = shape.c % 4 == 0;
    if (tiling.k_tile_steps == 8) return quads ? pixel1<8, true, Products> : pixel1<8, false, Products>;
    return quads ? pixel1<4, true, Products> : pixel1<4, false, Products>;
}

template <Pixel1Products Products>
class Pixel1Program final : public GpuProgram {
public:
    explicit Pixel1Program(const GpuPlan& plan)
        : sizes_(to_kernel_shape(plan.shape)),
          tiling_(plan_pixel1(plan.shape, pixel1_choice(plan.config), Products, plan.model).tiling),
          kernel_(kernel_of<Products>(tiling_, sizes_)),
          launch_(plan.launch("pixel1")) {}

    void prepare_weights(Gpu& gpu, const GpuBuffers& buffers) override {
        constexpr std::int64_t threads = 256, warp = 32, of_thread = 4;
        const auto blocks = [&](std::int64_t count) { return Dim3{ceil_div(count, threads), 1, 1}; };
        const std::int64_t weights = std::int64_t{tiling_.padded_k} * tiling_.steps * pixel1_step * sizes_.r * sizes_.s;
        launch(gpu, filter_scales,
               kernel_launch("filter_scales", "weights", blocks(tiling_.padded_k * warp), {threads, 1, 1}), sizes_,
               tiling_.padded_k, buffers.w, buffers.prepared_weights);
        launch(gpu, pixel1_weights<Products>,
               kernel_launch("pixel1_weights", "weights", blocks(weights / of_thread), {threads, 1, 1}), sizes_,
               tiling_, buffers.w, buffers.prepared_weights,
               reinterpret_cast<Pixel1Factors<Products>*>(factors(buffers)));
    }
    void run(Gpu& gpu, const GpuBuffers& buffers, StageClock* stages) override {
        mark(stages, "multiply");
        launch_clusters(gpu, kernel_, launch_, sizes_, tiling_, buffers.x,
                        reinterpret_cast<const unsigned char*>(factors(buffers)), buffers.prepared_weights,
                        buffers.conv);
    }
    int registers(const std::string&) const override { return registers_of(kernel_); }

private:
    float* factors(const GpuBuffers& buffers) const { return buffers.prepared_weights + tiling_.padded_k; }

    const KernelShape sizes_;
    const Pixel1Tiling tiling_;
    const Pixel1Kernel kernel_;
    const KernelLaunch launch_;
};

}  // namespace

void register_pixel(Registry& registry) {
    registry.add(
        make_pixel1(make_program<Pixel1Program<Pixel1Products::three>>, make_nhwc_pool, hopper::missing_gpu()));
    registry.add(make_pixel2(make_program<Pixel1Program<Pixel1Products::one>>, make_nhwc_pool, hopper::missing_gpu()));
}

}  // namespace convscope::on_cuda
