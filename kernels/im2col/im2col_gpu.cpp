// im2col's launcher and its registration. Compiled once per dialect (kernels/simt/dialect.h).
#include "kernels/im2col/im2col_kernel.h"
#include "kernels/im2col/im2col_methods.h"
#include "kernels/simt/gpu_families.h"
#include "kernels/simt/shared_programs.h"

namespace convscope::CONVSCOPE_DIALECT {
namespace {

class Im2colProgram final : public GpuProgram {
public:
    explicit Im2colProgram(const GpuPlan& plan)
        : conv_shape_(plan.shape), shape_(to_kernel_shape(plan.shape)), lower_(plan.launch("im2col_lower")) {}

    void prepare_weights(Gpu& gpu, const GpuBuffers& buffers) override {
        transpose_weights(gpu, conv_shape_, buffers, WeightOrder::rsc_k);
    }
    void run(Gpu& gpu, const GpuBuffers& buffers, StageClock* stages) override {
        auto* matrix = reinterpret_cast<float*>(buffers.workspace);
        mark(stages, "convert");
        launch(gpu, im2col_lower, lower_, shape_, buffers.x, matrix);
        mark(stages, "multiply");
        const std::int64_t reduction = conv_shape_.reduction(), k = conv_shape_.k;
        const GemmShape product{conv_shape_.n * conv_shape_.p() * conv_shape_.q(), k, reduction, reduction, k, k};
        gpu.gemm(product, matrix, buffers.prepared_weights, buffers.conv);
    }
    int registers(const std::string&) const override { return registers_of(im2col_lower); }

private:
    const ConvShape conv_shape_;
    const KernelShape shape_;
    const KernelLaunch lower_;
};

}  // namespace

void build_im2col_layout(Gpu& gpu, const ConvShape& shape, const DeviceModel& model, const std::vector<void*>& out) {
    const auto method = make_im2col(device_kind, make_program<Im2colProgram>, make_nhwc_pool);
    auto* matrix = static_cast<float*>(out[2]);
    launch(gpu, im2col_lower, default_launch(*method, shape, model), to_kernel_shape(shape),
           static_cast<const float*>(out[0]), matrix);
    const GemmShape product{shape.p() * shape.q(), 1, shape.window(), shape.window(), 1, 1};
    gpu.gemm(product, matrix, static_cast<const float*>(out[1]), static_cast<float*>(out[3]));
}

void build_im2col_layer(Gpu& gpu, const ConvShape& shape, const DeviceModel& model, std::int64_t units, const float* x,
                        float* matrix) {
    const auto method = make_im2col(device_kind, make_program<Im2colProgram>, make_nhwc_pool);
    KernelShape first = to_kernel_shape(shape);
    first.p = static_cast<int>(units);
    launch(gpu, im2col_lower, default_launch(*method, shape, model), first, x, matrix);
}

void lower_windows(Gpu& gpu, const KernelLaunch& at, const ConvShape& shape, const float* x, float* matrix) {
    launch(gpu, im2col_lower, at, to_kernel_shape(shape), x, matrix);
}

void register_im2col(Registry& registry) {
    registry.add(make_im2col(device_kind, make_program<Im2colProgram>, make_nhwc_pool));
}

}  // namespace convscope::CONVSCOPE_DIALECT
