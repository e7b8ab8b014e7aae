// pecr0's launcher and its registration, in the checked dialect only: it gives no result to compare.
#include "kernels/pecr/pecr0_kernel.h"
#include "kernels/pecr/pecr_methods.h"
#include "kernels/simt/gpu_registration.h"
#include "kernels/simt/shared_programs.h"

namespace convscope::on_checked {
namespace {

class Pecr0Program final : public GpuProgram {
public:
    explicit Pecr0Program(const GpuPlan& plan) : shape_(to_kernel_shape(plan.shape)), launch_(plan.launch("pecr0")) {}

    void run(Gpu& gpu, const GpuBuffers& buffers, StageClock* stages) override {
        mark(stages, "multiply");
        launch(gpu, pecr0, launch_, shape_, buffers.x, buffers.w, buffers.y);
    }

private:
    const KernelShape shape_;
    const KernelLaunch launch_;
};

}  // namespace

void register_as_printed(Registry& registry) {
    registry.add(make_pecr0(make_program<Pecr0Program>));
}

}  // namespace convscope::on_checked
