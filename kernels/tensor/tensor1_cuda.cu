// The launcher and registration of tensor1 and tensor2. Compiled for compute capability 9.0a alone.
#include <memory>

#include "kernels/hopper/filter_scales_kernel.h"
#include "kernels/hopper/tensor_map.h"
#include "kernels/method/registry.h"
#include "kernels/simt/cluster.h"
#include "kernels/simt/launch_plan.h"
#include "kernels/simt/shared_programs.h"
#include "kernels/tensor/tensor1_kernels.h"
#include "kernels/tensor/tensor1_method.h"
#include "kernels/tensor/tensor3_method.h"

namespace convscope::on_cuda {
namespace {

using Tensor1Kernel = void (*)(KernelShape, Tensor1Tiling, CUtensorMap, const float*, const unsigned char*,
                               const float*, float*);

Tensor1Kernel kernel_of(const Tensor1Plan& plan) {
    if (plan.tiling.gathers) return tensor1<64, true>;
    return plan.filters == 128 ? tensor1<128, false> : tensor1<64, false>;
}

template <bool pools>
class Tensor1Program final : public GpuProgram {
public:
    explicit Tensor1Program(const GpuPlan& plan)
        : shape_(plan.shape),
          sizes_(to_kernel_shape(plan.shape)),
          plan_(
              plan_tensor1(plan.shape, tensor1_choice(plan.config), pools && pools_in_squares(plan.shape), plan.model)),
          kernel_(kernel_of(plan_)),
          launch_(plan.launch("tensor1")) {
        if (pools && !pools_in_squares(shape_)) pool_ = make_nhwc_pool(plan);
    }

    void bind(Gpu&, const GpuBuffers& buffers) override {
        if (!plan_.tiling.gathers)
            x_map_ = hopper::map_of_pixels(buffers.x, shape_, plan_.tiling.box_rows, plan_.tiling.box_columns,
                                           plan_.tiling.step_h, plan_.tiling.step_w);
    }
    void prepare_weights(Gpu& gpu, const GpuBuffers& buffers) override {
        constexpr std::int64_t threads = 256, warp = 32;
        const Tensor1Tiling& tiling = plan_.tiling;
        float* inverse_scale = buffers.prepared_weights;
        launch(gpu, filter_scales,
               kernel_launch("filter_scales", "weights", {ceil_div(tiling.leading * warp, threads), 1, 1},
                             {threads, 1, 1}),
               sizes_, tiling.leading, buffers.w, inverse_scale);
        const std::int64_t weights =
            std::int64_t{tiling.k_tiles} * tiling.taps_h * tiling.taps_w * tiling.leading * tensor1_tile_k;
        launch(gpu, tensor1_weights,
               kernel_launch("tensor1_weights", "weights", {ceil_div(weights, threads), 1, 1}, {threads, 1, 1}), sizes_,
               tiling, buffers.w, inverse_scale, reinterpret_cast<unsigned short*>(split_weights(buffers)));
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
        return kernel == "tensor1" ? registers_of(kernel_) : pool_->registers(kernel);
    }

private:
    float* split_weights(const GpuBuffers& buffers) const {
        return buffers.prepared_weights + tensor1_scale_elements(shape_);
    }

    const ConvShape shape_;
    const KernelShape sizes_;
    const Tensor1Plan plan_;
    const Tensor1Kernel kernel_;
    const KernelLaunch launch_;
    CUtensorMap x_map_{};
    std::unique_ptr<GpuProgram> pool_;  ///< where the pooling is not in squares
};

}  // namespace

void register_tensor(Registry& registry) {
    registry.add(make_tensor1(make_program<Tensor1Program<false>>, make_nhwc_pool, hopper::missing_gpu()));
    registry.add(make_tensor2(make_program<Tensor1Program<true>>, hopper::missing_gpu()));
    registry.add(make_tensor3(registry, device_kind));
}

}  // namespace convscope::on_cuda
