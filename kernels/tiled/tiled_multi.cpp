#include <fmt/format.h>

#include <utility>

#include "kernels/simt/launch_plan.h"
#include "kernels/tiled/tiled_methods.h"

namespace convscope {
namespace {

class TiledMulti final : public GpuMethod {
public:
    using GpuMethod::GpuMethod;

    LaunchSpace launch_space(const ConvShape&) const override {
        return {false,
                false,
                {planned_tunable("S", "bytes of each filter that a segment has", multi_segment_bytes),
                 planned_tunable("Wx", "W'_x, pixels of a block", multi_pixels),
                 planned_tunable("M", "M', filters of a block", multi_filters)}};
    }

private:
    Support accepts(const ConvShape& shape) const override {
        if (shape.stride_h != 1 || shape.stride_w != 1)
            return Support::no(fmt::format("tiled-multi is made for stride 1, as published, not {},{}", shape.stride_h,
                                           shape.stride_w));
        if (shape.s > multi_line_elements)
            return Support::no(
                fmt::format("tiled-multi takes filters of up to {} columns, not s = {}", multi_line_elements, shape.s));
        return {};
    }
    double thread_steps(const ConvShape& shape) const override { return shape.flops_dense(); }

    ResolvedLaunch plan(const ConvShape& shape, const LaunchConfig& config, const DeviceModel& model) const override {
        const MultiPlan plan = plan_multi(shape, config, model);
        ResolvedLaunch resolved{plan.support, {}, 0};
        if (plan.hiding.n_fma > 0) resolved.quantities = quantities(plan);
        if (!plan.support) return resolved;
        constexpr std::int64_t warp = 32;
        resolved.kernels.push_back(kernel_launch("tiled_multi", "multiply", {plan.tiles, plan.groups, shape.n},
                                                 {warp * multi_warps, 1, 1}, plan.shared_bytes));
        return resolved;
    }
};

}  // namespace

MultiPlan plan_multi(const ConvShape& shape, const LaunchConfig& config, const DeviceModel& model) {
    return plan_multi(shape, model, requested_tunable(config, "S"), requested_tunable(config, "Wx"),
                      requested_tunable(config, "M"));
}

std::unique_ptr<Method> make_tiled_multi(DeviceKind device, MakeGpuProgram program, MakeGpuProgram pool) {
    MethodInfo info;
    info.id = "tiled-multi";
    info.family = "tiled";
    info.title = "Stride-fixed blocks along the channels";
    info.paper = "Chang et al.";
    info.follows = "Section 3.2, Fig. 3";
    info.device = device;
    info.stages = {"multiply", "pool"};
    return std::make_unique<TiledMulti>(std::move(info), program, pool);
}

}  // namespace convscope
