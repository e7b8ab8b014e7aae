// pecr0, pecr0b and pecr2p, in the checked dialect only: they give no result to compare.
#include <algorithm>

#include "kernels/pecr/pecr0_kernel.h"
#include "kernels/pecr/pecr2p_kernel.h"
#include "kernels/pecr/pecr_methods.h"
#include "kernels/simt/gpu_registration.h"
#include "kernels/simt/launch_plan.h"
#include "kernels/simt/shared_programs.h"

namespace convscope::on_checked {
namespace {

using AsPrinted = void (*)(KernelShape, Global<const float>, Global<const float>, Global<float>);

template <AsPrinted kernel>
class AsPrintedProgram final : public GpuProgram {
public:
    explicit AsPrintedProgram(const GpuPlan& plan)
        : shape_(to_kernel_shape(plan.shape)), launch_(plan.kernels.front()) {}

    void run(Gpu& gpu, const GpuBuffers& buffers, StageClock* stages) override {
        mark(stages, "multiply");
        launch(gpu, kernel, launch_, shape_, buffers.x, buffers.w, buffers.y);
    }

private:
    const KernelShape shape_;
    const KernelLaunch launch_;
};

class Pecr2p final : public GpuMethod {
public:
    using GpuMethod::GpuMethod;
    bool fuses_pooling() const override { return true; }

private:
    Support accepts(const ConvShape& shape) const override {
        if (shape.pooled() && shape.n == 1 && shape.c == 1 && shape.k == 1 && shape.pad_h == 0 && shape.pad_w == 0)
            return {};
        return Support::no("pecr2p is as printed: one image, one channel, one filter, no padding, with pooling");
    }
    double thread_steps(const ConvShape& shape) const override { return 8 * shape.flops_dense(); }

    ResolvedLaunch plan(const ConvShape& shape, const LaunchConfig&, const DeviceModel&) const override {
        constexpr std::int64_t aim = 128;  // threads
        const std::int64_t windows = shape.pool_h * shape.pool_w, results = shape.out_h() * shape.out_w();
        const Dim3 block{windows, std::clamp<std::int64_t>(aim / windows, 1, results), 1};
        return {{},
                {kernel_launch("pecr2p", "multiply", {ceil_div(results, block.y), 1, 1}, block,
                               4 * block.count() * (2 * shape.window() + 2))},
                0};
    }
};

}  // namespace

void register_pecr_as_printed(Registry& registry) {
    registry.add(make_pecr0(false, make_program<AsPrintedProgram<pecr0<false>>>));
    registry.add(make_pecr0(true, make_program<AsPrintedProgram<pecr0<true>>>));
    registry.add(std::make_unique<Pecr2p>(MethodInfo{.id = "pecr2p",
                                                     .family = "pecr",
                                                     .title = "PECR's reduction as printed in 2022: not a result",
                                                     .paper = "Xu 2022",
                                                     .follows = "Algorithm 4",
                                                     .device = DeviceKind::sim,
                                                     .as_printed = true,
                                                     .flops_executed = nonzero_pooled_flops,
                                                     .stages = {"multiply"}},
                                          make_program<AsPrintedProgram<pecr2p>>, nullptr));
}

}  // namespace convscope::on_checked
