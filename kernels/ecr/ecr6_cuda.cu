// The launcher and registration of ecr6 and pecr6. Compiled for compute capability 9.0a alone.
#include <memory>

#include "kernels/ecr/ecr6_kernel.h"
#include "kernels/ecr/ecr6_method.h"
#include "kernels/ecr/ecr6_registration.h"
#include "kernels/ecr/ecr6_weights_kernel.h"
#include "kernels/hopper/tensor_map.h"
#include "kernels/simt/cluster.h"
#include "kernels/simt/launch_plan.h"
#include "kernels/simt/shared_programs.h"

namespace convscope::on_cuda {
namespace {

using Ecr6Kernel = void (*)(KernelShape, Ecr6Tiling, CUtensorMap, const float*, const unsigned char*, const float*,
                            float*);

Ecr6Kernel kernel_of(const Ecr6Plan& plan) {
    if (plan.tiling.gathers) return ecr6<64, true>;
    return plan.filters == 128 ? ecr6<128, false> : ecr6<64, false>;
}

template <bool pools>
class Ecr6Program final : public GpuProgram {
public:
    explicit Ecr6Program(const GpuPlan& plan)
        : shape_(plan.shape),
          sizes_(to_kernel_shape(plan.shape)),
          plan_(plan_ecr6(plan.shape, ecr6_choice(plan.config), pools && pools_in_squares(plan.shape), plan.model)),
          kernel_(kernel_of(plan_)),
          launch_(plan.launch("ecr6")) {
        if (pools && !pools_in_squares(shape_)) pool_ = make_nhwc_pool(plan);
    }

    void bind(Gpu&, const GpuBuffers& buffers) override {
        if (!plan_.tiling.gathers)
            x_map_ = hopper::map_of_pixels(buffers.x, shape_, plan_.tiling.box_rows, plan_.tiling.box_columns,
                                           plan_.tiling.step_h, plan_.tiling.step_w);
    }
    void prepare_weights(Gpu& gpu, const GpuBuffers& buffers) override {
        constexpr std::int64_t threads = 256, warp = 32;
        const Ecr6Tiling& tiling = plan_.tiling;
        float* unscale = buffers.prepared_weights;
        launch(
            gpu, ecr6_scales,
            kernel_launch("ecr6_scales", "weights", {ceil_div(tiling.leading * warp, threads), 1, 1}, {threads, 1, 1}),
            sizes_, tiling, buffers.w, unscale);
        const std::int64_t weights =
            std::int64_t{tiling.slices} * tiling.taps_h * tiling.taps_w * tiling.leading * ecr6_slice;
        launch(gpu, ecr6_weights,
               kernel_launch("ecr6_weights", "weights", {ceil_div(weights, threads), 1, 1}, {threads, 1, 1}), sizes_,
               tiling, buffers.w, unscale, reinterpret_cast<unsigned short*>(split_weights(buffers)));
    }
    void run(Gpu& gpu, const GpuBuffers& buffers, StageClock* stages) override {
        mark(stages, "multiply");
        const auto* weights = reinterpret_cast<const unsigned char*>(split_weights(buffers));
        float* conv = pool_ ? reinterpret_cast<float*>(buffers.workspace) : buffers.conv;
        launch_clusters(gpu, kernel_, launch_, sizes_, plan_.tiling, x_map_, buffers.x, weights,
                        buffers.prepared_weights, conv);
        if (!pool_) return;
        mark(stages, "pool");
        GpuBuffers pooled = buffers;
        pooled.conv = conv;
        pool_->run(gpu, pooled, nullptr);
    }
    int registers(const std::string& kernel) const override {
        return kernel == "ecr6" ? registers_of(kernel_) : pool_->registers(kernel);
    }

private:
    float* split_weights(const GpuBuffers& buffers) const {
        return buffers.prepared_weights + ecr6_scale_elements(shape_);
    }

    const ConvShape shape_;
    const KernelShape sizes_;
    const Ecr6Plan plan_;
    const Ecr6Kernel kernel_;
    const KernelLaunch launch_;
    CUtensorMap x_map_{};
    std::unique_ptr<GpuProgram> pool_;  ///< where the pooling is not in squares
};

}  // namespace

void register_ecr6(Registry& registry) {
    registry.add(make_ecr6(make_program<Ecr6Program<false>>, make_nhwc_pool, hopper::missing_gpu()));
}
void register_pecr6(Registry& registry) {
    registry.add(make_pecr6(make_program<Ecr6Program<true>>, hopper::missing_gpu()));
}

}  // namespace convscope::on_cuda
