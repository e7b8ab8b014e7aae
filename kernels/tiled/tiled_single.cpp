#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kernels/simt/launch_plan.h"
#include "kernels/tiled/tiled_methods.h"

namespace convscope {
namespace {

/// 0 and then numbers of pieces, up to 'most'.
Tunable pieces(const char* name, const char* meaning, std::int64_t most) {
    Tunable tunable{name, meaning, {0}, 0};
    for (std::int64_t step = 1; step <= 256; step *= 2)
        for (const std::int64_t value : {step, step + step / 2})
            if (value <= most && value > tunable.values.back()) tunable.values.push_back(value);
    return tunable;
}

class TiledSingle final : public GpuMethod {
public:
    using GpuMethod::GpuMethod;

    LaunchSpace launch_space(const ConvShape& shape) const override {
        return {false,
                false,
                {pieces("P", "pieces of the map, the filters being divided over the SMs; 0: as planned", shape.p()),
                 pieces("Q", "pieces of the filters, the map being divided over the SMs; 0: as planned", shape.k)}};
    }

private:
    Support accepts(const ConvShape& shape) const override {
        if (shape.c != 1)
            return Support::no(
                fmt::format("tiled-single takes one channel, not c = {}; tiled-multi takes any", shape.c));
        if (shape.stride_h != 1 || shape.stride_w != 1)
            return Support::no(fmt::format("tiled-single is made for stride 1, as published, not {},{}", shape.stride_h,
                                           shape.stride_w));
        return {};
    }
    double thread_steps(const ConvShape& shape) const override { return shape.flops_dense(); }

    ResolvedLaunch plan(const ConvShape& shape, const LaunchConfig& config, const DeviceModel& model) const override {
        const SinglePlan plan = plan_single(shape, config, model);
        ResolvedLaunch resolved{plan.support, {}, 0};
        if (plan.hiding.n_fma > 0) resolved.quantities = quantities(plan);
        if (!plan.support) return resolved;
        const Division& chosen = plan.chosen();
        resolved.kernels.push_back(kernel_launch("tiled_single", "multiply", {chosen.parts, chosen.sharers, shape.n},
                                                 {chosen.tiling.threads, 1, 1}, chosen.shared_bytes));
        return resolved;
    }
};

}  // namespace

SinglePlan plan_single(const ConvShape& shape, const LaunchConfig& config, const DeviceModel& model) {
    return plan_single(shape, model, requested_tunable(config, "P"), requested_tunable(config, "Q"));
}

std::unique_ptr<Method> make_tiled_single(DeviceKind device, MakeGpuProgram program, MakeGpuProgram pool) {
    MethodInfo info;
    info.id = "tiled-single";
    info.family = "tiled";
    info.title = "One channel, divided by filters or map";
    info.paper = "Chang et al.";
    info.follows = "Section 3.1";
    info.device = device;
    info.stages = {"multiply", "pool"};
    return std::make_unique<TiledSingle>(std::move(info), program, pool);
}

}  // namespace convscope
