#include "kernels/union/union1_method.h"

#include <fmt/format.h>

#include "kernels/hopper/hopper_method.h"
#include "kernels/simt/launch_plan.h"
#include "kernels/union/union1_flops.h"
#include "kernels/union/union1_tiling.h"

namespace convscope {
namespace {

class Union1 final : public hopper::HopperMethod, public SkipsBoxes {
public:
    Union1(MethodInfo info, MakeGpuProgram program, MakeGpuProgram pool, std::string missing_gpu)
        : HopperMethod(std::move(info), program, pool, std::move(missing_gpu)) {}

    /// A scale for each filter, then two FP16 for each weight.
    std::int64_t prepared_weight_bytes(const ConvShape& shape) const override {
        return union1_tiling(shape).leading * (1 + shape.reduction()) * std::int64_t{sizeof(float)};
    }
    std::int64_t format_bytes(const ConvShape& shape) const override { return Union1Workspace(shape).bytes; }
    LaunchSpace launch_space(const ConvShape&) const override { return {}; }
    ZeroBoxes boxes(const ConvShape& shape) const override { return union1_boxes(shape); }

private:
    Support accepts_here(const ConvShape& shape) const override {
        if (shape.r != shape.s || (shape.r != 1 && shape.r != 3))
            return Support::no(
                fmt::format("{} computes filters of 1x1 and 3x3; this shape's are {}x{}", info().id, shape.r, shape.s));
        return keeps_to_fp32(shape);
    }

    ResolvedLaunch plan_here(const ConvShape& shape, const LaunchConfig&, const DeviceModel&) const override {
        constexpr std::int64_t mark_channels = 8, sum_windows = 8, sum_filters = 32, row_bytes = 128;
        const Union1Tiling tiling = union1_tiling(shape);
        const std::int64_t tiles = union1_tiles(shape, tiling);
        const std::int64_t shared = (shape.r * shape.s * 2 * union1_channels + tiling.box_h * tiling.box_w) * row_bytes;
        ResolvedLaunch launch;
        launch.kernels = {
            kernel_launch("union1_mark", "convert", {tiles, ceil_div(shape.c, mark_channels), 1},
                          {32 * mark_channels, 1, 1}),
            kernel_launch("union1_multiply", "multiply", {tiles, tiling.leading / union1_filters, tiling.slices},
                          {2 * union1_windows, 1, 1}, shared),
            kernel_launch("union1_sum", "multiply",
                          {ceil_div(shape.p() * shape.q(), sum_windows), tiling.leading / sum_filters, shape.n},
                          {sum_filters, sum_windows, 1})};
        return launch;
    }
};

}  // namespace

Union1Workspace::Union1Workspace(const ConvShape& shape) {
    constexpr std::int64_t alignment = 256;
    const Union1Tiling tiling = union1_tiling(shape);
    const std::int64_t tiles = union1_tiles(shape, tiling);
    const auto take = [&](std::int64_t elements) {
        const std::int64_t at = bytes;
        bytes += ceil_div(elements * std::int64_t{sizeof(float)}, alignment) * alignment;
        return at;
    };
    largest = take(tiles * shape.c);
    used = take(tiles);
    partial = take(tiling.slices * shape.n * shape.p() * shape.q() * tiling.leading);
}

std::unique_ptr<Method> make_union1(MakeGpuProgram program, MakeGpuProgram pool, std::string missing_gpu) {
    MethodInfo info{
        .id = "union1",
        .family = "union",
        .title = "Channels that a tile of windows has, multiplied on tensor cores",
        .paper = "Ootomo & Yokota 2022, Zheng et al. 2023",
        .follows = "FP32 split into two FP16 values; PIT's micro-tiles: a list of channels for each tile of windows",
        .device = DeviceKind::cuda,
        .dtype = DType::f32,
        .arithmetic = Arithmetic::fp32_by_3xfp16,
        .flops_executed = union1_flops,
        .stages = {"convert", "multiply", "pool"}};
    return std::make_unique<Union1>(std::move(info), program, pool, std::move(missing_gpu));
}

}  // namespace convscope
