// The launcher and registration of union1. Compiled for compute capability 9.0a alone.
#include "kernels/hopper/filter_scales_kernel.h"
#include "kernels/hopper/tensor_map.h"
#include "kernels/method/registry.h"
#include "kernels/simt/launch_plan.h"
#include "kernels/simt/shared_programs.h"
#include "kernels/union/union1_kernels.h"
#include "kernels/union/union1_method.h"

namespace convscope::on_cuda {
namespace {

class Union1Program final : public GpuProgram {
public:
    explicit Union1Program(const GpuPlan& plan)
        : sizes_(to_kernel_shape(plan.shape)),
          tiling_(union1_tiling(plan.shape)),
          at_(plan.shape),
          mark_(plan.launch("union1_mark")),
          multiply_(plan.launch("union1_multiply")),
          sum_(plan.launch("union1_sum")) {}

    void prepare_weights(Gpu& gpu, const GpuBuffers& buffers) override {
        constexpr std::int64_t threads = 256, warp = 32;
        const auto blocks = [&](std::int64_t count) { return Dim3{ceil_div(count, threads), 1, 1}; };
        const std::int64_t weights = std::int64_t{tiling_.leading} * sizes_.c * sizes_.r * sizes_.s;
        launch(gpu, filter_scales,
               kernel_launch("filter_scales", "weights", blocks(tiling_.leading * warp), {threads, 1, 1}), sizes_,
               tiling_.leading, buffers.w, buffers.prepared_weights);
        launch(gpu, union1_weights, kernel_launch("union1_weights", "weights", blocks(weights), {threads, 1, 1}),
               sizes_, tiling_, buffers.w, buffers.prepared_weights, split_weights(buffers));
    }
    void run(Gpu& gpu, const GpuBuffers& buffers, StageClock* stages) override {
        unsigned* largest = reinterpret_cast<unsigned*>(buffers.workspace + at_.largest);
        int* used = reinterpret_cast<int*>(buffers.workspace + at_.used);
        float* partial = reinterpret_cast<float*>(buffers.workspace + at_.partial);
        mark(stages, "convert");
        launch(gpu, union1_mark, mark_, sizes_, tiling_, buffers.x, largest);
        mark(stages, "multiply");
        launch_dependent(true, gpu, multiply_kernel(), multiply_, sizes_, tiling_, buffers.x, split_weights(buffers),
                         largest, used, partial);
        launch_dependent(true, gpu, union1_sum, sum_, sizes_, tiling_, partial, buffers.prepared_weights, used,
                         buffers.conv);
    }
    int registers(const std::string& kernel) const override {
        if (kernel == "union1_mark") return registers_of(union1_mark);
        return kernel == "union1_sum" ? registers_of(union1_sum) : registers_of(multiply_kernel());
    }

private:
    auto multiply_kernel() const -> decltype(&union1_multiply<3>) {
        return sizes_.r == 3 ? union1_multiply<3> : union1_multiply<1>;
    }
    unsigned short* split_weights(const GpuBuffers& buffers) const {
        return reinterpret_cast<unsigned short*>(buffers.prepared_weights + tiling_.leading);
    }

    const KernelShape sizes_;
    const Union1Tiling tiling_;
    const Union1Workspace at_;
    const KernelLaunch mark_, multiply_, sum_;
};

}  // namespace

void register_union(Registry& registry) {
    registry.add(make_union1(make_program<Union1Program>, make_nchw_pool, hopper::missing_gpu()));
}

}  // namespace convscope::on_cuda
