#include <fmt/format.h>

#include <utility>

#include "kernels/simt/launch_plan.h"
#include "kernels/tiled/tiled_methods.h"

namespace convscope {
namespace {

const std::vector<Tunable> tunables{
    {"threads", "threads of a block; 0: as planned", {0, 64, 128, 192, 256}, 0},
    {"filters", "filters of a thread, one after the other; 0: as planned", {0, 1, 2, 4, 8, 16, 32}, 0},
    {"rows", "rows of y in which a thread has four outputs; 0: as planned", {0, 1, 2}, 0}};

class TiledSingle2 final : public GpuMethod {
public:
    using GpuMethod::GpuMethod;

    LaunchSpace launch_space(const ConvShape&) const override { return {false, false, tunables}; }
    bool prepares_weights() const override { return true; }
    std::int64_t prepared_weight_bytes(const ConvShape& shape) const override {
        return shape.k * single2_pitch(shape) * std::int64_t{sizeof(float)};
    }

private:
    Support accepts(const ConvShape& shape) const override {
        if (shape.c != 1)
            return Support::no(
                fmt::format("tiled-single2 takes one channel, not c = {}; tiled-multi2 takes any", shape.c));
        if (shape.stride_h != 1 || shape.stride_w != 1)
            return Support::no(fmt::format("tiled-single2 is made for stride 1, as published, not {},{}",
                                           shape.stride_h, shape.stride_w));
        return {};
    }
    double thread_steps(const ConvShape& shape) const override { return shape.flops_dense(); }

    ResolvedLaunch plan(const ConvShape& shape, const LaunchConfig& config, const DeviceModel& model) const override {
        const Single2Plan plan = plan_single2(shape, config, model);
        ResolvedLaunch resolved{plan.support, {}, 0};
        if (!plan.support) return resolved;
        resolved.kernels.push_back(kernel_launch("tiled_single2", "multiply",
                                                 {ceil_div(plan.threads, plan.block), plan.groups, shape.n},
                                                 {plan.block, 1, 1}));
        const auto add = [&](const char* symbol, std::int64_t value, const char* meaning) {
            resolved.quantities.push_back({symbol, static_cast<double>(value), "", meaning});
        };
        add("filters", plan.tiling.filters, "that a thread applies, one after the other");
        add("rows", plan.rows_per_thread, "of y in which a thread has four outputs");
        add("load", plan.load, "floats of x that a thread fetches at once");
        add("quads/row", plan.tiling.quads, "groups of four outputs in a row of y, cut ones included");
        return resolved;
    }
};

}  // namespace

Single2Plan plan_single2(const ConvShape& shape, const LaunchConfig& config, const DeviceModel& model) {
    const LaunchSpace space{false, false, tunables};
    return plan_single2(shape, model, tunable(space, config, "filters"), tunable(space, config, "rows"),
                        tunable(space, config, "threads"));
}

std::unique_ptr<Method> make_tiled_single2(DeviceKind device, MakeGpuProgram program, MakeGpuProgram pool) {
    MethodInfo info;
    info.id = "tiled-single2";
    info.family = "tiled";
    info.title = "One channel, windows in registers: without the paper's pieces in shared memory";
    info.paper = "Chang et al.";
    info.follows = "after Section 3.1";
    info.device = device;
    info.stages = {"multiply", "pool"};
    return std::make_unique<TiledSingle2>(std::move(info), program, pool);
}

}  // namespace convscope
