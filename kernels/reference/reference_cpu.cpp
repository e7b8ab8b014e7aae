// The reference as a method, so that people can see what it costs. It is not a baseline: it works in double.
#include "kernels/cpu/cpu_execution.h"
#include "kernels/cpu/cpu_method.h"
#include "kernels/method/registry.h"
#include "kernels/reference/direct_double.h"

namespace convscope {
namespace {

class Reference final : public CpuExecution {
public:
    explicit Reference(const ConvShape& shape)
        : CpuExecution(shape, Layout::nchw),
          direct_(shape),
          sorted_(direct_.x_elements()),
          packed_(direct_.w_elements()) {
        use_workspace(sorted_);
        use_weights(packed_);
    }

    void prepare_weights() override { direct_.pack_w(w(), packed_.data(), false); }

private:
    void convolve(float* y, StageClock* stages) override {
        mark(stages, "convert");
        direct_.sort_x(x(), sorted_.data(), false);
        mark(stages, "multiply");
        direct_.multiply(sorted_.data(), packed_.data(), y);
    }

    DirectDouble direct_;
    AlignedBuffer<double> sorted_, packed_;
};

}  // namespace

void register_reference(Registry& registry) {
    MethodInfo info;
    info.id = "reference";
    info.family = "reference";
    info.title = "Direct convolution in double, the reference";
    info.arithmetic = Arithmetic::fp64;
    info.takes.dilation = info.takes.sides = true;
    info.stages = {"convert", "multiply", "pool"};
    registry.add(make_cpu_method({info, {}, {}, [](const ConvShape& shape, const LaunchConfig&) {
                                      return std::make_unique<Reference>(shape);
                                  }}));
}

}  // namespace convscope
