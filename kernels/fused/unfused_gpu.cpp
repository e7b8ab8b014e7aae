// unfused0's launcher. Compiled once per dialect (kernels/simt/dialect.h).
#include "kernels/fused/fused_methods.h"
#include "kernels/fused/unfused0_kernel.h"
#include "kernels/method/registry.h"
#include "kernels/simt/shared_programs.h"

namespace convscope::CONVSCOPE_DIALECT {
namespace {

using Kernel = void (*)(KernelShape, Global<const float>, Global<const float>, Global<float>);

class Unfused0Program final : public GpuProgram {
public:
    explicit Unfused0Program(const GpuPlan& plan)
        : shape_(to_kernel_shape(without_pooling(plan.shape))), launch_(plan.launch("unfused0")) {
        const int filter = fused_instance(plan).filter;
        kernel_ = filter == 5   ? unfused0<CompiledSizes<5>>
                  : filter == 3 ? unfused0<CompiledSizes<3>>
                                : unfused0<AnySizes>;
    }

    void run(Gpu& gpu, const GpuBuffers& buffers, StageClock* stages) override {
        mark(stages, "multiply");
        launch(gpu, kernel_, launch_, shape_, buffers.x, buffers.w, buffers.conv);
    }
    int registers(const std::string&) const override { return registers_of(kernel_); }

private:
    const KernelShape shape_;
    const KernelLaunch launch_;
    Kernel kernel_;
};

}  // namespace

void register_unfused(Registry& registry) {
    registry.add(make_unfused0(device_kind, make_program<Unfused0Program>, make_nchw_pool));
}

}  // namespace convscope::CONVSCOPE_DIALECT
