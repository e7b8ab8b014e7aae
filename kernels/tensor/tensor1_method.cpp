#include "kernels/tensor/tensor1_method.h"

#include <fmt/format.h>

#include "kernels/hopper/hopper_method.h"
#include "kernels/simt/launch_plan.h"
#include "kernels/simt/pool_launch.h"
#include "kernels/tensor/tensor1_flops.h"

namespace convscope {
namespace {

class Tensor1 final : public hopper::HopperMethod {
public:
    Tensor1(MethodInfo info, MakeGpuProgram program, MakeGpuProgram pool, bool pools, std::string missing_gpu)
        : HopperMethod(std::move(info), program, pool, std::move(missing_gpu)), pools_(pools) {}

    bool fuses_pooling() const override { return pools_; }
    std::int64_t prepared_weight_bytes(const ConvShape& shape) const override {
        return tensor1_prepared_elements(shape) * std::int64_t{sizeof(float)};
    }
    /// The convolution, where tensor2 pools in a second kernel.
    std::int64_t format_bytes(const ConvShape& shape) const override {
        return pools_ && !pools_in_squares(shape) ? shape.conv_elements() * std::int64_t{sizeof(float)} : 0;
    }
    LaunchSpace launch_space(const ConvShape&) const override {
        return {false,
                false,
                {{"filters",
                  "filters of a tile, 64 where windows are gathered; 0: chosen for the layer and the GPU",
                  {0, 64, 128},
                  0},
                 {"split_k",
                  "blocks that share a tile's channels, as evenly as they divide; 0: chosen for them",
                  {0, 1, 2, 3, 4, 6, 8},
                  0},
                 {"promotion_interval",
                  "taps after which sums are added to totals in FP32; 0: chosen for FP32's accuracy",
                  {0, 1, 2, 4, 8, 32},
                  0}}};
    }

private:
    Support accepts_here(const ConvShape& shape) const override {
        if (pools_ && !shape.pooled())
            return Support::no(info().id + " computes convolution and pooling together; this shape has no pooling");
        return keeps_to_fp32(shape);
    }

    ResolvedLaunch plan_here(const ConvShape& shape, const LaunchConfig& config,
                             const DeviceModel& model) const override {
        const Tensor1Plan made = plan_tensor1(shape, tensor1_choice(config), pools_ && pools_in_squares(shape), model);
        if (made.tiling.stages < 2)
            return reject(fmt::format(
                "a tile of {0}x{0} windows and {1} filters needs {2} boxes of {3}x{4} pixels and the weights of 2 "
                "taps; "
                "that is more than the shared memory that {5} leaves to a block",
                tensor1_side, made.filters, tensor1_inputs, made.tiling.box_rows, made.tiling.box_columns, model.name));
        ResolvedLaunch launch;
        launch.kernels.push_back(kernel_launch("tensor1", "multiply", made.grid(model),
                                               {tensor1_fetching_threads + tensor1_multiplying_threads, 1, 1},
                                               made.shared_bytes));
        if (pools_ && !pools_in_squares(shape)) launch.kernels.push_back(plan_pool(shape));
        return launch;
    }

    const bool pools_;
};

MethodInfo info(std::string id, std::string title, std::string follows, CountFlops flops) {
    return {.id = std::move(id),
            .family = "tensor",
            .title = std::move(title),
            .paper = "Ootomo & Yokota 2022",
            .follows = std::move(follows),
            .device = DeviceKind::cuda,
            .dtype = DType::f32,
            .arithmetic = Arithmetic::fp32_by_3xfp16,
            .layout = Layout::nhwc,
            .flops_executed = flops,
            .stages = {"multiply", "pool"}};
}

}  // namespace

Tensor1Choice tensor1_choice(const LaunchConfig& config) {
    const auto requested = [&](const char* name) { return static_cast<int>(requested_tunable(config, name)); };
    return {requested("filters"), requested("split_k"), requested("promotion_interval")};
}

std::unique_ptr<Method> make_tensor1(MakeGpuProgram program, MakeGpuProgram pool, std::string missing_gpu) {
    return std::make_unique<Tensor1>(
        info("tensor1", "Dense, FP32 from three FP16 products on tensor cores; single zeros gain nothing",
             "FP32 split into two FP16 values; wgmma on tiles of 8 x 8 windows", tensor1_flops),
        program, pool, false, std::move(missing_gpu));
}

std::unique_ptr<Method> make_tensor2(MakeGpuProgram program, std::string missing_gpu) {
    return std::make_unique<Tensor1>(info("tensor2", "Dense, as tensor1, with ReLU and max-pooling where the sums are",
                                          "as tensor1; other pooling than 2x2 in a second kernel", tensor2_flops),
                                     program, nullptr, true, std::move(missing_gpu));
}

}  // namespace convscope
