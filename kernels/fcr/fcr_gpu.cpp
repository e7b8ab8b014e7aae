// fcr1's and fcr2's launchers and their registration. Compiled once per dialect (kernels/simt/dialect.h).
#include "kernels/core/ceil_div.h"
#include "kernels/fcr/fcr_kernels.h"
#include "kernels/fcr/fcr_methods.h"
#include "kernels/method/registry.h"
#include "kernels/simt/gpu_execution.h"
#include "kernels/simt/shared_programs.h"

namespace convscope::CONVSCOPE_DIALECT {
namespace {

template <class Word>
using FcrKernel = void (*)(FcrTiling, Global<const float>, Global<const Word>, Global<float>);
template <template <int> class Weights>
using KernelOf = FcrKernel<typename Weights<4>::Word>;

template <template <int> class Weights, int N>
KernelOf<Weights> kernel_of(const FcrChoice& choice) {
    if (choice.outputs == 8) return choice.rows == 4 ? fcr_multiply<Weights, N, 8, 4> : fcr_multiply<Weights, N, 8, 8>;
    if (choice.rows == 4) return fcr_multiply<Weights, N, 4, 4>;
    return choice.rows == 8 ? fcr_multiply<Weights, N, 4, 8> : fcr_multiply<Weights, N, 4, 16>;
}

template <template <int> class Weights>
KernelOf<Weights> kernel_of(const FcrChoice& choice, std::int64_t images) {
    switch (images) {
        case 1:
            return kernel_of<Weights, 1>(choice);
        case 2:
            return kernel_of<Weights, 2>(choice);
        case 3:
            return kernel_of<Weights, 3>(choice);
        default:
            return kernel_of<Weights, fcr_max_images>(choice);
    }
}

template <template <int> class Weights>
class FcrProgram final : public GpuProgram {
public:
    explicit FcrProgram(const GpuPlan& plan)
        : shape_(plan.shape),
          choice_(fcr_choice(plan.shape, plan.config, device_kind, weight_bytes)),
          tiling_(fcr_tiling(plan.shape, choice_)),
          kernel_(kernel_of<Weights>(choice_, plan.shape.n)),
          multiply_(plan.launch("fcr_multiply")),
          early_(plan.model.cc_major >= 9) {
        if (const KernelLaunch* sum = plan.find("fcr_sum")) sum_ = *sum;
        held_slices_ = fcr_choice(plan.shape, {}, device_kind, weight_bytes).split_k;
    }

    void bind(Gpu& gpu, const GpuBuffers&) override {
        if (partial() && tiling_.slices > held_slices_)
            more_sums_ = GpuMemory(gpu, fcr_partial_bytes(shape_, tiling_.slices));
    }
    void unbind() override { more_sums_ = GpuMemory(); }
    std::int64_t bound_bytes() const override { return static_cast<std::int64_t>(more_sums_.bytes()); }

    void prepare_weights(Gpu& gpu, const GpuBuffers& buffers) override {
        if constexpr (Weights<4>::per_word == 1) {
            if (tiling_.leading > tiling_.outputs)
                gpu.fill_bytes(buffers.prepared_weights, 0,
                               static_cast<std::size_t>(shape_.c * tiling_.leading) * sizeof(float));
            transpose_weights(gpu, shape_, buffers, WeightOrder::crs_k, tiling_.leading);
        } else {
            constexpr std::int64_t threads = 256;
            const std::int64_t words = shape_.c * tiling_.leading / Weights<4>::per_word;
            const KernelLaunch at{"fcr_halves", "", {ceil_div(words, threads), 1, 1}, {threads, 1, 1}};
            launch(gpu, fcr_halves, at, tiling_, buffers.w, reinterpret_cast<int*>(buffers.prepared_weights));
        }
    }
    void run(Gpu& gpu, const GpuBuffers& buffers, StageClock* stages) override {
        mark(stages, "multiply");
        float* sums = more_sums_.get() ? more_sums_.floats() : reinterpret_cast<float*>(buffers.workspace);
        launch_clusters(gpu, kernel_, multiply_, tiling_, buffers.x,
                        reinterpret_cast<const typename Weights<4>::Word*>(buffers.prepared_weights),
                        partial() ? sums : buffers.conv);
        if (partial()) launch_dependent(early_, gpu, fcr_sum, sum_, tiling_, sums, buffers.conv);
    }
    int registers(const std::string& kernel) const override {
        return kernel == "fcr_sum" ? registers_of(fcr_sum) : registers_of(kernel_);
    }

private:
    static constexpr std::int64_t weight_bytes = sizeof(float) / Weights<4>::per_word;

    bool partial() const { return tiling_.slices > 1 && !tiling_.cluster; }

    const ConvShape shape_;
    const FcrChoice choice_;
    const FcrTiling tiling_;
    const KernelOf<Weights> kernel_;
    const KernelLaunch multiply_;
    const bool early_;  ///< fcr_sum's blocks may come before the products are done
    KernelLaunch sum_;
    std::int64_t held_slices_ = 1;  ///< whose sums the workspace holds
    GpuMemory more_sums_;           ///< where a user requests more slices
};

}  // namespace

void register_fcr(Registry& registry) {
    registry.add(make_fcr1(device_kind, make_program<FcrProgram<FloatWeights>>, make_nchw_pool));
    registry.add(make_fcr2(device_kind, make_program<FcrProgram<HalfWeights>>, make_nchw_pool));
}

}  // namespace convscope::CONVSCOPE_DIALECT
