// mec3 and mec4 without their kernels: launch spaces, what a configuration leads to.
#include <fmt/format.h>

#include "kernels/mec/mec_methods.h"
#include "kernels/mec/mec_plan.h"
#include "kernels/simt/launch_plan.h"

namespace convscope {
namespace {

class MecTiled final : public GpuMethod {
public:
    MecTiled(MethodInfo info, bool lowers, MakeGpuProgram program, MakeGpuProgram pool)
        : GpuMethod(std::move(info), program, pool), lowers_(lowers) {}

    LaunchSpace launch_space(const ConvShape&) const override {
        return {
            false,
            false,
            {planned_tunable("outputs", "outputs of a block", {64, 128}),
             planned_tunable("filters", "filters of a block", {64, 96, 128}),
             planned_tunable("rows", "output rows of a block, which share their strips",
                             {1, 2, 3, 4, 5, 6, 8, 9, 10, 12, 16}),
             planned_tunable("split_k", "blocks that share a tile's sums, at most one per stage", {1, 2, 3, 4, 6, 8})}};
    }
    bool prepares_weights() const override { return true; }
    std::int64_t format_bytes(const ConvShape& shape) const override {
        return lowers_ ? shape.mec_elements() * std::int64_t{sizeof(float)} : 0;
    }

private:
    double thread_steps(const ConvShape& shape) const override {
        return shape.flops_dense() + (lowers_ ? 3.0 * static_cast<double>(shape.mec_elements()) : 0.0);
    }

    ResolvedLaunch plan(const ConvShape& shape, const LaunchConfig& config, const DeviceModel& model) const override {
        const MecPlan made = plan_mec_method(info(), shape, config, model);
        if (made.threads == 0)
            return reject(fmt::format("there is no tile of {} outputs x {} filters; there are{}",
                                      requested_tunable(config, "outputs"), requested_tunable(config, "filters"),
                                      tiles()));
        ResolvedLaunch resolved;
        if (lowers_) resolved.kernels.push_back(mec3_lowering(shape));
        resolved.main = resolved.kernels.size();
        resolved.kernels.push_back(kernel_launch("mec_multiply", "multiply", {made.blocks, 1, made.split},
                                                 {made.threads, 1, 1}, made.shared_bytes));
        return resolved;
    }

    std::string tiles() const {
        std::string text;
        for (const MecTileSize& tile : mec_tiles)
            text += fmt::format("{} {}x{}", text.empty() ? "" : ",", tile.outputs, tile.filters);
        return text;
    }

    const bool lowers_;
};

}  // namespace

std::int64_t mec3_chunks(const ConvShape& shape) {
    const std::int64_t width = shape.c % 4 == 0 ? 4 : 1;
    return ceil_div(shape.padded_h() * shape.s * shape.c / width, mec3_lower_threads * mec3_copies_per_thread);
}

KernelLaunch mec3_lowering(const ConvShape& shape) {
    return kernel_launch("mec3_lower", "convert", {shape.n * shape.q() * mec3_chunks(shape), 1, 1},
                         {mec3_lower_threads, 1, 1});
}

MecPlan plan_mec_method(const MethodInfo& info, const ConvShape& shape, const LaunchConfig& config,
                        const DeviceModel& model) {
    return plan_mec(shape, model, info.device == DeviceKind::cuda && model.cc_major >= 9,
                    {requested_tunable(config, "outputs"), requested_tunable(config, "filters"),
                     requested_tunable(config, "rows"), requested_tunable(config, "split_k")});
}

MethodInfo mec3_info(DeviceKind device) {
    return mec_info("mec3", "MEC, lowered, all partitions in one launch",
                    "Algorithm 2, lines 4-13, as one product over overlapping strips", device);
}

MethodInfo mec4_info(DeviceKind device) {
    MethodInfo info =
        mec_info("mec4", "MEC, implicit: L in shared memory only",
                 "Algorithm 2, lines 4-13, slices of strips lowered by the block that multiplies", device);
    std::erase(info.stages, "convert");
    return info;
}

std::unique_ptr<Method> make_mec_tiled(MethodInfo info, MakeGpuProgram program, MakeGpuProgram pool) {
    const bool lowers = info.id == "mec3";
    return std::make_unique<MecTiled>(std::move(info), lowers, program, pool);
}

}  // namespace convscope
