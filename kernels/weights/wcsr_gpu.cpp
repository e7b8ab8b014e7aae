// wcsr1's launcher and its registration. Compiled once per dialect (kernels/simt/dialect.h).
#include "kernels/simt/gpu_execution.h"
#include "kernels/simt/gpu_families.h"
#include "kernels/simt/launch_plan.h"
#include "kernels/simt/shared_programs.h"
#include "kernels/weights/add_shares.h"
#include "kernels/weights/share_sum.h"
#include "kernels/weights/wcsr_kernels.h"
#include "kernels/weights/wcsr_method.h"

namespace convscope::CONVSCOPE_DIALECT {
namespace {

using WcsrKernel = void (*)(KernelShape, WcsrTiling, Global<const float>, Global<const int>, Global<const float>,
                            Global<const int>, Global<float>);

template <int V>
WcsrKernel wcsr_kernel_of(const WcsrChoice& choice) {
    if (choice.filters == 1) return wcsr_multiply<V, 1>;
    return choice.filters == 2 ? wcsr_multiply<V, 2> : wcsr_multiply<V, 4>;
}

WcsrKernel wcsr_kernel_of(const WcsrChoice& choice) {
    switch (choice.outputs) {
        case 1:
            return wcsr_kernel_of<1>(choice);
        case 2:
            return wcsr_kernel_of<2>(choice);
        case 4:
            return wcsr_kernel_of<4>(choice);
        case 7:
            return wcsr_kernel_of<7>(choice);
        default:
            return wcsr_kernel_of<8>(choice);
    }
}

}  // namespace

void add_shares(bool early, Gpu& gpu, const KernelLaunch& at, const ConvShape& shape, int split, const float* partial,
                float* y) {
    launch_dependent(early, gpu, share_sum, at, split, static_cast<int>(shape.conv_elements()), partial, y);
}
int share_sum_registers() {
    return registers_of(share_sum);
}

namespace {

class WcsrProgram final : public GpuProgram {
public:
    explicit WcsrProgram(const GpuPlan& plan)
        : conv_shape_(plan.shape),
          shape_(to_kernel_shape(plan.shape)),
          choice_(wcsr_choice(plan.shape, plan.config)),
          tiling_(wcsr_tiling(plan.shape, choice_)),
          at_(plan.shape, tiling_),
          kernel_(wcsr_kernel_of(choice_)),
          multiply_(plan.launch("wcsr_multiply")),
          early_(plan.model.cc_major >= 9) {
        if (const KernelLaunch* sum = plan.find("share_sum")) sum_ = *sum;
        const WcsrChoice by_default = wcsr_choice(plan.shape, {});
        default_split_ = by_default.split;
        default_elements_ = WcsrArrays(plan.shape, wcsr_tiling(plan.shape, by_default)).elements;
    }

    void bind(Gpu& gpu, const GpuBuffers&) override {
        if (tiling_.split > default_split_) more_sums_ = GpuMemory(gpu, share_bytes(conv_shape_, tiling_.split));
        if (at_.elements > default_elements_) more_arrays_ = GpuMemory(gpu, at_.elements * std::int64_t{sizeof(float)});
    }
    void unbind() override {
        more_sums_ = GpuMemory();
        more_arrays_ = GpuMemory();
    }
    std::int64_t bound_bytes() const override {
        return static_cast<std::int64_t>(more_sums_.bytes() + more_arrays_.bytes());
    }

    void prepare_weights(Gpu& gpu, const GpuBuffers& buffers) override {
        constexpr std::int64_t threads = 256, scan_threads = 1024;
        const int rows = shape_.k * tiling_.chunks;
        const Dim3 warps{ceil_div(rows, threads / 32), 1, 1};
        int* row_offsets = integers(buffers) + at_.row_offsets;
        launch(gpu, wcsr_count, kernel_launch("wcsr_count", "weights", warps, {threads, 1, 1}), shape_, tiling_,
               buffers.w, row_offsets);
        sum_counts(gpu, kernel_launch("csr_scan", "weights", {1, 1, 1}, {scan_threads, 1, 1}), {nullptr, rows, 1, 1},
                   row_offsets, row_offsets + rows);
        launch(gpu, wcsr_fill, kernel_launch("wcsr_fill", "weights", warps, {threads, 1, 1}), shape_, tiling_,
               buffers.w, row_offsets, arrays(buffers), integers(buffers) + at_.columns);
    }
    void run(Gpu& gpu, const GpuBuffers& buffers, StageClock* stages) override {
        mark(stages, "multiply");
        float* partial = more_sums_.get() ? more_sums_.floats() : reinterpret_cast<float*>(buffers.workspace);
        launch(gpu, kernel_, multiply_, shape_, tiling_, buffers.x, integers(buffers) + at_.row_offsets,
               arrays(buffers), integers(buffers) + at_.columns, tiling_.split > 1 ? partial : buffers.conv);
        if (tiling_.split > 1) add_shares(early_, gpu, sum_, conv_shape_, tiling_.split, partial, buffers.conv);
    }
    int registers(const std::string& kernel) const override {
        return kernel == "share_sum" ? share_sum_registers() : registers_of(kernel_);
    }

private:
    float* arrays(const GpuBuffers& buffers) const {
        return more_arrays_.get() ? more_arrays_.floats() : buffers.prepared_weights;
    }
    int* integers(const GpuBuffers& buffers) const { return reinterpret_cast<int*>(arrays(buffers)); }

    const ConvShape conv_shape_;
    const KernelShape shape_;
    const WcsrChoice choice_;
    const WcsrTiling tiling_;
    const WcsrArrays at_;
    const WcsrKernel kernel_;
    const KernelLaunch multiply_;
    const bool early_;  ///< share_sum's blocks may come before the products are done
    KernelLaunch sum_;
    std::int64_t default_split_ = 1, default_elements_ = 0;  ///< that the default's memory has room for
    GpuMemory more_sums_, more_arrays_;                      ///< where a user requests more
};

}  // namespace

void register_weights(Registry& registry) {
    registry.add(make_wcsr1(device_kind, make_program<WcsrProgram>, make_nchw_pool));
}

}  // namespace convscope::CONVSCOPE_DIALECT
