#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kernels/simt/launch_plan.h"
#include "kernels/tiled/tiled_methods.h"

namespace convscope {
namespace {

LaunchSpace space_of(const ConvShape& shape) {
    std::vector<std::int64_t> splits = multi2_values.splits;
    std::erase_if(splits, [&](std::int64_t value) { return value > max_splits(shape); });
    return {false,
            false,
            {planned_tunable("columns", "outputs across of a block's tile", multi2_values.columns),
             planned_tunable("lines", "threads down a block's tile, each with two rows or four", multi2_values.lines),
             planned_tunable("filters", "filters of a block", multi2_values.filters),
             planned_tunable("sums", "sums of a thread: 4 x 8, 8 x 8 or 8 x 16 filters x outputs", multi2_values.sums),
             planned_tunable("groups", "threads that share an output's channels", multi2_values.groups),
             planned_tunable("slice", "channels that are copied at a time", multi2_values.slice),
             planned_tunable("stages", "slices in shared memory", multi2_values.stages),
             planned_tunable("split_k", "blocks that share an output's channels", splits)}};
}

class TiledMulti2 final : public GpuMethod {
public:
    using GpuMethod::GpuMethod;

    LaunchSpace launch_space(const ConvShape& shape) const override { return space_of(shape); }
    bool prepares_weights() const override { return true; }
    std::int64_t prepared_weight_bytes(const ConvShape& shape) const override {
        return shape.reduction() * ceil_div(shape.k, 4) * 4 * std::int64_t{sizeof(float)};
    }
    /// Room for as many parts of y as a configuration may ask for.
    std::int64_t format_bytes(const ConvShape& shape) const override {
        const std::int64_t splits = max_splits(shape);
        return splits > 1 ? splits * shape.conv_elements() * std::int64_t{sizeof(float)} : 0;
    }

private:
    Support accepts(const ConvShape& shape) const override {
        if (shape.stride_h != 1 || shape.stride_w != 1)
            return Support::no(fmt::format("tiled-multi2 is made for stride 1, as published, not {},{}", shape.stride_h,
                                           shape.stride_w));
        constexpr std::int64_t max_taps = 121;
        if (shape.window() > max_taps)
            return Support::no(fmt::format("tiled-multi2 takes filters of up to {} elements, not {} x {}", max_taps,
                                           shape.r, shape.s));
        return {};
    }
    double thread_steps(const ConvShape& shape) const override { return shape.flops_dense(); }

    ResolvedLaunch plan(const ConvShape& shape, const LaunchConfig& config, const DeviceModel& model) const override {
        const Multi2Plan plan = plan_multi2(shape, config, model);
        ResolvedLaunch resolved{plan.support, {}, 0};
        if (!plan.support) return resolved;
        resolved.kernels.push_back(kernel_launch(multi2_kernel(plan), "multiply",
                                                 {plan.blocks_x, plan.blocks_y, plan.splits}, {plan.threads, 1, 1},
                                                 plan.shared_bytes));
        if (plan.splits > 1) {
            constexpr std::int64_t threads = 128;
            const std::int64_t each = multi2_sum_width(shape);
            resolved.kernels.push_back(kernel_launch("tiled_multi2_sum", "multiply",
                                                     {ceil_div(shape.conv_elements(), threads * each), 1, 1},
                                                     {threads, 1, 1}));
        }
        const auto add = [&](const char* symbol, std::int64_t value, const char* unit, const char* meaning) {
            resolved.quantities.push_back({symbol, static_cast<double>(value), unit, meaning});
        };
        const Multi2Tiling& tiling = plan.tiling;
        add("columns", tiling.quads * 4, "", "outputs across of a block's tile");
        add("rows", tiling.lines * plan.rows_per_thread, "", "outputs down of a block's tile");
        add("filters", tiling.filter_groups * plan.filters_per_thread, "", "of a block");
        add("sums", plan.filters_per_thread * plan.rows_per_thread * 4, "", "that a thread keeps in registers");
        add("groups", tiling.channel_groups, "", "threads that share an output's channels");
        add("split_k", plan.splits, "", "blocks that share an output's channels");
        add("slice", tiling.slice, "", "channels that are copied at a time");
        add("load", 4 * plan.load, "B", "of x that are copied at once");
        return resolved;
    }
};

}  // namespace

const char* multi2_kernel(const Multi2Plan& plan) {
    return plan.rows_per_thread == 4 ? "tiled_multi2_wide" : "tiled_multi2";
}

std::int64_t multi2_sum_width(const ConvShape& shape) {
    constexpr std::int64_t enough_for_all_sms = 1 << 18;
    return shape.conv_elements() % 4 == 0 && shape.conv_elements() >= enough_for_all_sms ? 4 : 1;
}

Multi2Plan plan_multi2(const ConvShape& shape, const LaunchConfig& config, const DeviceModel& model) {
    const LaunchSpace space = space_of(shape);
    const auto requested = [&](const char* name) { return tunable(space, config, name); };
    return plan_multi2(shape, model,
                       {requested("columns"), requested("lines"), requested("filters"), requested("sums"),
                        requested("groups"), requested("slice"), requested("stages"), requested("split_k")});
}

std::unique_ptr<Method> make_tiled_multi2(DeviceKind device, MakeGpuProgram program, MakeGpuProgram pool) {
    MethodInfo info;
    info.id = "tiled-multi2";
    info.family = "tiled";
    info.title = "Sums in registers; small maps divide channels between blocks, which Chang et al. reject in 2.3";
    info.paper = "Chang et al.";
    info.follows = "after Section 3.2";
    info.device = device;
    info.stages = {"multiply", "pool"};
    return std::make_unique<TiledMulti2>(std::move(info), program, pool);
}

}  // namespace convscope
