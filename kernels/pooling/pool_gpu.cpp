// Compiled once per dialect (kernels/simt/dialect.h).
#include "kernels/pooling/pool_kernel.h"
#include "kernels/simt/shared_programs.h"

namespace convscope::CONVSCOPE_DIALECT {
namespace {

template <bool channels_last>
class Pool final : public GpuProgram {
public:
    explicit Pool(const GpuPlan& plan) : shape_(to_kernel_shape(plan.shape)), launch_(plan.launch("relu_max_pool")) {}

    void run(Gpu& gpu, const GpuBuffers& buffers, StageClock*) override {
        launch(gpu, relu_max_pool<channels_last>, launch_, shape_, buffers.conv, buffers.y);
    }
    int registers(const std::string&) const override { return registers_of(relu_max_pool<channels_last>); }

private:
    const KernelShape shape_;
    const KernelLaunch launch_;
};

}  // namespace

std::unique_ptr<GpuProgram> make_nchw_pool(const GpuPlan& plan) {
    return std::make_unique<Pool<false>>(plan);
}

std::unique_ptr<GpuProgram> make_nhwc_pool(const GpuPlan& plan) {
    return std::make_unique<Pool<true>>(plan);
}

}  // namespace convscope::CONVSCOPE_DIALECT
