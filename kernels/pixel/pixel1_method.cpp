#include "kernels/pixel/pixel1_method.h"

#include <fmt/format.h>

#include "kernels/hopper/hopper_method.h"
#include "kernels/method/zero_boxes.h"
#include "kernels/pixel/pixel1_plan.h"
#include "kernels/simt/launch_plan.h"

namespace convscope {
namespace {

/// A pixel that is not zero in some channel is multiplied in all of them, once for each window that sees it.
ZeroBoxes pixel_boxes(const ConvShape& shape) {
    ZeroBoxes boxes = nonzero_boxes(shape);
    boxes.c = {1, shape.c};
    boxes.multiply_adds = shape.c * shape.k;
    return boxes;
}

std::optional<double> pixel_flops(const Workload& workload) {
    return flops_of(pixel_boxes(workload.spec.shape), workload.x);
}

class Pixel1 final : public hopper::HopperMethod, public SkipsBoxes {
public:
    Pixel1(MethodInfo info, Pixel1Products products, MakeGpuProgram program, MakeGpuProgram pool,
           std::string missing_gpu)
        : HopperMethod(std::move(info), program, pool, std::move(missing_gpu)), products_(products) {}

    std::int64_t prepared_weight_bytes(const ConvShape& shape) const override {
        return pixel1_prepared_bytes(shape, products_);
    }
    ZeroBoxes boxes(const ConvShape& shape) const override { return pixel_boxes(shape); }
    LaunchSpace launch_space(const ConvShape&) const override {
        return {false,
                false,
                {{"windows",
                  "windows of a tile, at most; 0: chosen for the layer and the GPU",
                  {0, 32, 64, 128, 256, 512, 1024},
                  0},
                 {"channels",
                  "channels of a pixel that a warp keeps in registers for all taps; 0: chosen for the layer",
                  {0, 64, 128},
                  0}}};
    }

private:
    Support accepts_here(const ConvShape& shape) const override {
        return products_ == Pixel1Products::three ? keeps_to_fp32(shape) : Support{};
    }

    ResolvedLaunch plan_here(const ConvShape& shape, const LaunchConfig& config,
                             const DeviceModel& model) const override {
        const Pixel1Plan made = plan_pixel1(shape, pixel1_choice(config), products_, model);
        ResolvedLaunch launch;
        launch.kernels = {kernel_launch("pixel1", "multiply", made.grid, {pixel1_threads, 1, 1}, made.shared_bytes)};
        return launch;
    }

    const Pixel1Products products_;
};

MethodInfo describe(std::string id, std::string title, std::string follows, DType dtype, Arithmetic arithmetic) {
    return {.id = std::move(id),
            .family = "pixel",
            .title = std::move(title),
            .paper = "Yan et al. 2018, Ootomo & Yokota 2022",
            .follows = std::move(follows),
            .device = DeviceKind::cuda,
            .dtype = dtype,
            .arithmetic = arithmetic,
            .layout = Layout::nhwc,
            .takes = {.dilation = true, .sides = true},
            .flops_executed = pixel_flops,
            .stages = {"multiply", "pool"}};
}

}  // namespace

std::unique_ptr<Method> make_pixel1(MakeGpuProgram program, MakeGpuProgram pool, std::string missing_gpu) {
    return std::make_unique<Pixel1>(
        describe("pixel1", "Pixels that are not empty, multiplied on tensor cores in FP32 from three FP16 products",
                 "SECOND's gather, multiply and scatter, within tiles; FP32 split into two FP16 values", DType::f32,
                 Arithmetic::fp32_by_3xfp16),
        Pixel1Products::three, program, pool, std::move(missing_gpu));
}

std::unique_ptr<Method> make_pixel2(MakeGpuProgram program, MakeGpuProgram pool, std::string missing_gpu) {
    return std::make_unique<Pixel1>(
        describe("pixel2", "Pixels that are not empty, multiplied on tensor cores with TF32's 11 bits",
                 "As pixel1, one product in FP16, whose values have a scale for each pixel and filter", DType::tf32,
                 Arithmetic::fp16),
        Pixel1Products::one, program, pool, std::move(missing_gpu));
}

}  // namespace convscope
