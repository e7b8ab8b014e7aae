// fused1p, in the checked dialect only: it gives no result to compare.
#include <algorithm>

#include "kernels/fused/fused1p_kernel.h"
#include "kernels/simt/gpu_method.h"
#include "kernels/simt/gpu_registration.h"
#include "kernels/simt/shared_programs.h"

namespace convscope::on_checked {
namespace {

class Fused1p final : public GpuMethod {
public:
    using GpuMethod::GpuMethod;
    bool fuses_pooling() const override { return true; }

private:
    Support accepts(const ConvShape& shape) const override {
        if (shape.pooled()) return {};
        return Support::no("fused1p pools in the kernel that convolves; this shape has no pooling");
    }
    double thread_steps(const ConvShape& shape) const override { return 4 * shape.flops_dense(); }

    ResolvedLaunch plan(const ConvShape& shape, const LaunchConfig&, const DeviceModel&) const override {
        constexpr std::int64_t width = 16, height = 8;  // the report's block
        const Dim3 block{std::min(shape.out_w(), width), std::min(shape.out_h(), height), 1};
        const Dim3 grid{ceil_div(shape.out_w(), block.x), ceil_div(shape.out_h(), block.y), shape.k * shape.n};
        const std::int64_t rows = fused_tile_extent(block.y, shape.pool_h, shape.pool_stride, shape.stride_h, shape.r);
        const std::int64_t columns =
            fused_tile_extent(block.x, shape.pool_w, shape.pool_stride, shape.stride_w, shape.s);
        return {{}, {kernel_launch("fused1p", "multiply", grid, block, 4 * rows * columns)}, 0};
    }
};

class Fused1pProgram final : public GpuProgram {
public:
    explicit Fused1pProgram(const GpuPlan& plan)
        : shape_(to_kernel_shape(plan.shape)), launch_(plan.launch("fused1p")) {}

    void run(Gpu& gpu, const GpuBuffers& buffers, StageClock* stages) override {
        mark(stages, "multiply");
        launch(gpu, fused1p, launch_, shape_, buffers.x, buffers.w, buffers.y);
    }

private:
    const KernelShape shape_;
    const KernelLaunch launch_;
};

}  // namespace

void register_fused_as_printed(Registry& registry) {
    registry.add(std::make_unique<Fused1p>(MethodInfo{.id = "fused1p",
                                                      .family = "fused",
                                                      .title = "Fused, the tile loaded as printed: not a result",
                                                      .paper = "Grisett",
                                                      .follows = "Fig. 2",
                                                      .device = DeviceKind::sim,
                                                      .as_printed = true,
                                                      .flops_executed = dense_pooled_flops,
                                                      .stages = {"multiply"}},
                                           make_program<Fused1pProgram>, nullptr));
}

}  // namespace convscope::on_checked
