// fused6 without its kernels: shapes, launch space, what a configuration leads to.
#include <fmt/format.h>

#include <algorithm>

#include "kernels/fused/fused6_plan.h"
#include "kernels/fused/fused_methods.h"
#include "kernels/hopper/hopper_method.h"

namespace convscope {
namespace {

class Fused6 final : public hopper::HopperMethod {
public:
    Fused6(MethodInfo info, MakeGpuProgram program, std::string missing_gpu)
        : HopperMethod(std::move(info), program, nullptr, std::move(missing_gpu)) {}

    bool fuses_pooling() const override { return true; }
    std::int64_t prepared_weight_bytes(const ConvShape& shape) const override {
        return fused6_weight_elements(shape) * std::int64_t{sizeof(float)};
    }
    LaunchSpace launch_space(const ConvShape&) const override {
        return {false,
                false,
                {{"filters", "filters of a tile; 0: chosen for the layer and the GPU", {0, 64, 128}, 0},
                 {"columns",
                  "columns of a tile of 16 rows of outputs, before pooling; 0: chosen for them",
                  {0, 8, 16},
                  0}}};
    }

private:
    Support accepts_here(const ConvShape& shape) const override {
        if (shape.stride_h != 1 || shape.stride_w != 1)
            return Support::no(
                fmt::format("fused6 takes stride 1; this shape's is {}x{}", shape.stride_h, shape.stride_w));
        if (shape.pooled() && (shape.pool_h != 2 || shape.pool_w != 2 || shape.pool_stride != 2))
            return Support::no(
                fmt::format("fused6 pools 2x2 windows with stride 2, or not at all; this shape's are "
                            "{}x{} with stride {}",
                            shape.pool_h, shape.pool_w, shape.pool_stride));
        constexpr std::int64_t max_r = 16, max_s = 16;
        if (shape.r > max_r || shape.s > max_s)
            return Support::no(fmt::format("fused6 takes filters of up to {}x{}; this shape's are {}x{}", max_r, max_s,
                                           shape.r, shape.s));
        return {};
    }

    ResolvedLaunch plan_here(const ConvShape& shape, const LaunchConfig& config,
                             const DeviceModel& model) const override {
        const Fused6Plan made = plan_fused6(shape, config, model);
        if (made.tiling.stages < 2)
            return reject(
                fmt::format("a tile of 16x{} outputs needs {}x{} pixels of input twice and the weights of two "
                            "taps of {} filters; that is more than the {} bytes of shared memory of a block",
                            made.columns, made.tiling.box_rows, made.tiling.box_columns, made.filters,
                            model.shared_per_block_optin));
        const std::int64_t blocks = std::min<std::int64_t>(model.sms, made.tiling.tiles);
        return {
            {}, {kernel_launch("fused6", "multiply", {blocks, 1, 1}, {fused6_threads, 1, 1}, made.shared_bytes)}, 0};
    }
};

}  // namespace

std::unique_ptr<Method> make_fused6(MakeGpuProgram program, std::string missing_gpu) {
    return std::make_unique<Fused6>(MethodInfo{.id = "fused6",
                                               .family = "fused",
                                               .title = "Fused on tensor cores, in TF32: taps as shifted products",
                                               .paper = "Grisett",
                                               .follows = "The report's layer; wgmma, bulk copies, a persistent grid",
                                               .device = DeviceKind::cuda,
                                               .dtype = DType::tf32,
                                               .arithmetic = Arithmetic::tf32,
                                               .layout = Layout::nhwc,
                                               .flops_executed = dense_pooled_flops,
                                               .stages = {"multiply"}},
                                    program, std::move(missing_gpu));
}

}  // namespace convscope
