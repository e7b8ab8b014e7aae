// im2col and one matrix product for the whole batch.
#include "kernels/cpu/cpu_execution.h"
#include "kernels/cpu/cpu_method.h"
#include "kernels/cpu/weights_gemm.h"
#include "kernels/im2col/im2col_layout.h"
#include "kernels/method/registry.h"

namespace convscope {
namespace {

class Im2col final : public CpuExecution {
public:
    Im2col(const ConvShape& shape, bool openblas)
        : CpuExecution(shape, Layout::nhwc),
          gemm_(shape, openblas),
          matrix_(shape.im2col_elements()),
          weights_(gemm_.elements()) {
        use_workspace(matrix_);
        use_weights(weights_);
    }

    void prepare_weights() override { gemm_.prepare(w(), weights_.data()); }

private:
    // [n p q][r s c] times [r s c][k] is y as NHWC.
    void convolve(float* y, StageClock* stages) override {
        mark(stages, "convert");
        lower_im2col(shape(), x(), matrix_.data());
        mark(stages, "multiply");
        gemm_.multiply(weights_.data(), {.count = 1,
                                         .rows = shape().n * shape().p() * shape().q(),
                                         .lda = shape().reduction(),
                                         .a = [this](std::int64_t) { return matrix_.data(); },
                                         .c = y});
    }

    WeightsGemm gemm_;
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
    info.takes.dilation = info.takes.sides = true;
    info.stages = {"convert", "multiply", "pool"};
    registry.add(
        make_cpu_method({info, {openblas_tunable()}, {}, [](const ConvShape& shape, const LaunchConfig& config) {
                             return std::make_unique<Im2col>(shape, tunable_value(openblas_tunable(), config) == 1);
                         }}));
}

}  // namespace convscope
