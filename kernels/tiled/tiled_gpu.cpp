// The tiled methods' launchers and their registration. Compiled once per dialect (kernels/simt/dialect.h).
#include <stdexcept>

#include "kernels/method/registry.h"
#include "kernels/simt/shared_programs.h"
#include "kernels/tiled/tiled_methods.h"
#include "kernels/tiled/tiled_multi_kernel.h"
#include "kernels/tiled/tiled_programs.h"
#include "kernels/tiled/tiled_single_kernel.h"

namespace convscope::CONVSCOPE_DIALECT {
namespace {

using SingleKernel = void (*)(KernelShape, SingleTiling, Global<const float>, Global<const float>, Global<float>);
using MultiKernel = void (*)(KernelShape, MultiTiling, Global<const float>, Global<const float>, Global<float>);

template <int K>
SingleKernel single_kernel(int rows_per_thread) {
    switch (rows_per_thread) {
        case 1:
            return tiled_single<K, 1>;
        case 2:
            return tiled_single<K, 2>;
        default:
            return tiled_single<K, 4>;
    }
}

/// The filters that the paper measures have kernels of their own.
SingleKernel single_kernel(const ConvShape& shape, int rows_per_thread) {
    switch (shape.r == shape.s ? shape.s : 0) {
        case 1:
            return single_kernel<1>(rows_per_thread);
        case 3:
            return single_kernel<3>(rows_per_thread);
        case 5:
            return single_kernel<5>(rows_per_thread);
        default:
            return single_kernel<0>(rows_per_thread);
    }
}

template <int Pixels>
MultiKernel multi_kernel(int filters_per_thread) {
    switch (filters_per_thread) {
        case 4:
            return tiled_multi<Pixels, 4>;
        case 8:
            return tiled_multi<Pixels, 8>;
        default:
            return tiled_multi<Pixels, 16>;
    }
}

MultiKernel multi_kernel(const MultiTiling& tiling) {
    switch (tiling.pixels_per_thread) {
        case 1:
            return multi_kernel<1>(tiling.filters_per_thread);
        case 2:
            return multi_kernel<2>(tiling.filters_per_thread);
        default:
            return multi_kernel<4>(tiling.filters_per_thread);
    }
}

class SingleProgram final : public GpuProgram {
public:
    explicit SingleProgram(const GpuPlan& plan)
        : shape_(to_kernel_shape(plan.shape)),
          tiling_(plan_single(plan.shape, plan.config, plan.model).chosen().tiling),
          kernel_(single_kernel(plan.shape, tiling_.rows_per_thread)),
          launch_(plan.launch("tiled_single")) {}

    void run(Gpu& gpu, const GpuBuffers& buffers, StageClock* stages) override {
        mark(stages, "multiply");
        launch(gpu, kernel_, launch_, shape_, tiling_, buffers.x, buffers.w, buffers.conv);
    }
    int registers(const std::string&) const override { return registers_of(kernel_); }

private:
    const KernelShape shape_;
    const SingleTiling tiling_;
    const SingleKernel kernel_;
    const KernelLaunch launch_;
};

class MultiProgram final : public GpuProgram {
public:
    explicit MultiProgram(const GpuPlan& plan)
        : shape_(to_kernel_shape(plan.shape)),
          tiling_(plan_multi(plan.shape, plan.config, plan.model).tiling),
          kernel_(multi_kernel(tiling_)),
          launch_(plan.launch("tiled_multi")) {}

    void run(Gpu& gpu, const GpuBuffers& buffers, StageClock* stages) override {
        mark(stages, "multiply");
        launch(gpu, kernel_, launch_, shape_, tiling_, buffers.x, buffers.w, buffers.conv);
    }
    int registers(const std::string&) const override { return registers_of(kernel_); }

private:
    const KernelShape shape_;
    const MultiTiling tiling_;
    const MultiKernel kernel_;
    const KernelLaunch launch_;
};

}  // namespace

void register_tiled(Registry& registry) {
    registry.add(make_tiled_single(device_kind, make_program<SingleProgram>, make_nchw_pool));
    registry.add(make_tiled_single2(device_kind, make_single2, make_nchw_pool));
    registry.add(make_tiled_multi(device_kind, make_program<MultiProgram>, make_nchw_pool));
    registry.add(make_tiled_multi2(device_kind, make_multi2, make_nchw_pool));
}

}  // namespace convscope::CONVSCOPE_DIALECT
