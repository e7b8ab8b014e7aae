// im2col and one matrix product for the whole batch.
#include "kernels/core/registry.h"
#include "kernels/cpu/blas.h"
#include "kernels/cpu/cpu_execution.h"
#include "kernels/cpu/cpu_method.h"
#include "kernels/cpu/gemm_weights.h"
#include "kernels/im2col/im2col_layout.h"

namespace convscope {
namespace {

class Im2col final : public CpuExecution {
public:
    explicit Im2col(const ConvShape& shape)
        : CpuExecution(shape, Layout::nhwc), matrix_(shape.im2col_elements()), weights_(shape.w_elements()) {
        use_workspace(matrix_);
        use_weights(weights_);
    }

    void prepare_weights() override { weights_to_rsck(shape(), w(), weights_.data()); }

private:
    // [n p q][r s c] times [r s c][k] is y as NHWC.
    void convolve(float* y, StageClock* stages) override {
        mark(stages, "convert");
        lower_im2col(shape(), x(), matrix_.data());
        mark(stages, "multiply");
        const ConvShape& s = shape();
        parallel_sgemm({s.n * s.p() * s.q(), s.k, s.reduction(), s.reduction(), s.k, s.k}, matrix_.data(),
                       weights_.data(), y);
    }

    AlignedBuffer<float> matrix_, weights_;
};

}  // namespace

void register_im2col(Registry& registry) {
    MethodInfo info;
    info.id = "im2col";
    info.family = "im2col";
    info.title = "im2col and GEMM";
    info.paper = "Cho & Brand 2017";
    info.follows = "Section 2, the baseline";
    info.layout = Layout::nhwc;
    info.stages = {"convert", "multiply", "pool"};
    registry.add(make_cpu_method(
        {info, {}, {}, [](const ConvShape& shape, const LaunchConfig&) { return std::make_unique<Im2col>(shape); }}));
}

}  // namespace convscope
