// ecr0 and ecr0b, in the checked dialect only: they give no result to compare.
#include "kernels/ecr/ecr0_kernel.h"
#include "kernels/simt/gpu_method.h"
#include "kernels/simt/gpu_registration.h"
#include "kernels/simt/shared_programs.h"

namespace convscope::on_checked {
namespace {

class Ecr0 final : public GpuMethod {
public:
    using GpuMethod::GpuMethod;

private:
    Support accepts(const ConvShape& shape) const override {
        if (shape.n == 1 && shape.c == 1 && shape.k == 1 && shape.pad_h == 0 && shape.pad_w == 0 && shape.stride_h == 1)
            return {};
        return Support::no(info().id + " is as printed: one image, one channel, one filter, no padding, stride 1 down");
    }
    double thread_steps(const ConvShape& shape) const override { return 4 * shape.flops_dense(); }

    ResolvedLaunch plan(const ConvShape& shape, const LaunchConfig&, const DeviceModel&) const override {
        const std::int64_t words_per_thread = 2 * shape.window() + 1;
        return {
            {},
            {kernel_launch("ecr0", "multiply", {shape.p(), 1, 1}, {shape.q(), 1, 1}, 4 * shape.q() * words_per_thread)},
            0};
    }
};

template <bool zeroed>
class Ecr0Program final : public GpuProgram {
public:
    explicit Ecr0Program(const GpuPlan& plan) : shape_(to_kernel_shape(plan.shape)), launch_(plan.launch("ecr0")) {}

    void run(Gpu& gpu, const GpuBuffers& buffers, StageClock* stages) override {
        mark(stages, "multiply");
        launch(gpu, ecr0<zeroed>, launch_, shape_, buffers.x, buffers.w, buffers.conv);
    }

private:
    const KernelShape shape_;
    const KernelLaunch launch_;
};

template <bool zeroed>
std::unique_ptr<Method> make_ecr0(const char* id, const char* title) {
    return std::make_unique<Ecr0>(MethodInfo{.id = id,
                                             .family = "ecr",
                                             .title = title,
                                             .paper = "Xu 2019",
                                             .follows = "Algorithms 1-2",
                                             .device = DeviceKind::sim,
                                             .as_printed = true,
                                             .flops_executed = nonzero_flops,
                                             .stages = {"multiply", "pool"}},
                                  make_program<Ecr0Program<zeroed>>, make_nchw_pool);
}

}  // namespace

void register_ecr_as_printed(Registry& registry) {
    registry.add(make_ecr0<false>("ecr0", "ECR as printed: not a result"));
    registry.add(make_ecr0<true>("ecr0b", "ECR as printed, output set to 0 first: not a result"));
}

}  // namespace convscope::on_checked
