#include "kernels/mec/mec5_method.h"

#include <fmt/format.h>

#include "kernels/hopper/hopper_method.h"
#include "kernels/mec/mec_methods.h"
#include "kernels/simt/launch_plan.h"

namespace convscope {
namespace {

class Mec5 final : public hopper::HopperMethod {
public:
    Mec5(MethodInfo info, Mec5Kind kind, MakeGpuProgram program, MakeGpuProgram pool, std::string missing_gpu)
        : HopperMethod(std::move(info), program, pool, std::move(missing_gpu)), kind_(kind) {}

    LaunchSpace launch_space(const ConvShape&) const override {
        LaunchSpace space{false,
                          false,
                          {planned_tunable("outputs", "outputs of a tile", {128, 256}),
                           planned_tunable("filters", "filters of a tile", {64, 128}),
                           planned_tunable("split_k", "blocks that share a tile's K tiles, at most one per K tile",
                                           {1, 2, 3, 4, 6, 8})}};
        if (kind_.split)
            space.tunables.push_back(
                {"promotion_interval",
                 "K tiles of 32 columns after which the tensor cores' sums, which they cut, go to FP32 totals; 0: 2",
                 {0, 1, 2, 4, 8, 16},
                 0});
        return space;
    }
    std::int64_t prepared_weight_bytes(const ConvShape& shape) const override {
        return mec5_weight_elements(shape, kind_) * std::int64_t{sizeof(float)};
    }
    std::int64_t format_bytes(const ConvShape& shape) const override {
        return kind_.lowered ? shape.mec_elements() * std::int64_t{sizeof(float)} : 0;
    }

private:
    ResolvedLaunch plan_here(const ConvShape& shape, const LaunchConfig& config,
                             const DeviceModel& model) const override {
        const Mec5Plan made = plan_mec5_method(shape, config, model, kind_);
        if (made.outputs == 0)
            return reject(fmt::format("there is no tile of {} outputs x {} filters; there are{}",
                                      requested_tunable(config, "outputs"), requested_tunable(config, "filters"),
                                      tiles()));
        ResolvedLaunch resolved;
        if (kind_.lowered) resolved.kernels.push_back(mec3_lowering(shape));
        resolved.main = resolved.kernels.size();
        resolved.kernels.push_back(kernel_launch("mec5", "multiply", {made.blocks, 1, made.split},
                                                 {mec5_fetching + mec5_multiplying, 1, 1}, made.shared_bytes));
        return resolved;
    }

    std::string tiles() const {
        std::string text;
        for (const Mec5TileChoice& tile : mec5_tiles(kind_))
            text += fmt::format("{} {}x{}", text.empty() ? "" : ",", tile.outputs, tile.filters);
        return text;
    }

    const Mec5Kind kind_;
};

MethodInfo describe(const char* id, const char* title, const char* follows, DType dtype, Arithmetic arithmetic,
                    bool lowers) {
    MethodInfo info = mec_info(id, title, follows, DeviceKind::cuda);
    info.dtype = dtype;
    info.arithmetic = arithmetic;
    if (!lowers) std::erase(info.stages, "convert");
    return info;
}

}  // namespace

Mec5Plan plan_mec5_method(const ConvShape& shape, const LaunchConfig& config, const DeviceModel& model, Mec5Kind kind) {
    return plan_mec5(shape, model, kind,
                     {requested_tunable(config, "outputs"), requested_tunable(config, "filters"),
                      requested_tunable(config, "split_k"), requested_tunable(config, "promotion_interval")});
}

std::vector<std::unique_ptr<Method>> make_mec5_methods(MakeGpuProgram lowered, MakeGpuProgram implicit,
                                                       MakeGpuProgram implicit_tf32, MakeGpuProgram pool,
                                                       const std::string& missing_gpu) {
    std::vector<std::unique_ptr<Method>> methods;
    methods.push_back(
        std::make_unique<Mec5>(describe("mec5", "MEC, lowered, on tensor cores in FP32 from three TF32 products",
                                        "Algorithm 2, lines 4-13; wgmma on rows of partitions where they lie in L",
                                        DType::f32, Arithmetic::fp32_by_3xtf32, true),
                               Mec5Kind{true, true}, lowered, pool, missing_gpu));
    methods.push_back(std::make_unique<Mec5>(
        describe("mec6", "Implicit GEMM by MEC's rows, without L: tensor cores, FP32 from three TF32 products",
                 "As mec5, the rows read where L's floats stand in the input", DType::f32, Arithmetic::fp32_by_3xtf32,
                 false),
        Mec5Kind{false, true}, implicit, pool, missing_gpu));
    methods.push_back(
        std::make_unique<Mec5>(describe("mec7", "Implicit GEMM by MEC's rows, without L: tensor cores, TF32",
                                        "As mec6, one product in TF32", DType::tf32, Arithmetic::tf32, false),
                               Mec5Kind{false, false}, implicit_tf32, pool, missing_gpu));
    return methods;
}

}  // namespace convscope
