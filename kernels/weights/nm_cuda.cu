// The launcher and registration of nm1. Compiled for compute capability 8.0 and later.
#include "kernels/method/registry.h"
#include "kernels/simt/gpu_execution.h"
#include "kernels/simt/shared_programs.h"
#include "kernels/weights/add_shares.h"
#include "kernels/weights/nm_kernels.h"
#include "kernels/weights/nm_method.h"
#include "kernels/weights/share_sum.h"

namespace convscope::on_cuda {
namespace {

using NmKernel = void (*)(KernelShape, NmTiling, const unsigned short*, const unsigned char*, float*);

template <bool Sparse>
NmKernel nm_kernel_of(const NmChoice& choice) {
    if (choice.filters == 64) return choice.pixels == 64 ? nm_multiply<Sparse, 64, 64> : nm_multiply<Sparse, 64, 128>;
    return choice.pixels == 64 ? nm_multiply<Sparse, 128, 64> : nm_multiply<Sparse, 128, 128>;
}

class NmProgram final : public GpuProgram {
public:
    explicit NmProgram(const GpuPlan& plan)
        : conv_shape_(plan.shape),
          shape_(to_kernel_shape(plan.shape)),
          choice_(nm_choice(plan.shape, plan.config)),
          tiling_(nm_tiling(plan.shape, choice_.split)),
          at_(plan.shape, choice_.split),
          kernel_(choice_.sparse ? nm_kernel_of<true>(choice_) : nm_kernel_of<false>(choice_)),
          convert_(plan.launch("nm_convert")),
          multiply_(plan.launch("nm_multiply")),
          early_(plan.model.cc_major >= 9) {
        if (const KernelLaunch* sum = plan.find("share_sum")) sum_ = *sum;
    }

    void bind(Gpu& gpu, const GpuBuffers&) override {
        if (choice_.split > nm_choice(conv_shape_, {}).split) more_workspace_ = GpuMemory(gpu, at_.bytes);
        if (!choice_.sparse) dense_weights_ = GpuMemory(gpu, nm_weight_bytes(conv_shape_, false));
    }
    void unbind() override {
        more_workspace_ = GpuMemory();
        dense_weights_ = GpuMemory();
    }
    std::int64_t bound_bytes() const override {
        return static_cast<std::int64_t>(more_workspace_.bytes() + dense_weights_.bytes());
    }

    void prepare_weights(Gpu& gpu, const GpuBuffers& buffers) override {
        constexpr std::int64_t threads = 256, lanes = 32, sparse_blocks = 3, dense_blocks = 4;
        const std::int64_t items = tiling_.row_tiles * lanes * (choice_.sparse ? sparse_blocks : dense_blocks);
        launch(gpu, choice_.sparse ? nm_weights<true> : nm_weights<false>,
               kernel_launch("nm_weights", "weights", {tiling_.k_tiles, ceil_div(items, threads), 1}, {threads, 1, 1}),
               shape_, tiling_, buffers.w, weights(buffers));
    }
    void run(Gpu& gpu, const GpuBuffers& buffers, StageClock* stages) override {
        std::byte* workspace =
            more_workspace_.get() ? static_cast<std::byte*>(more_workspace_.get()) : buffers.workspace;
        float* partial = reinterpret_cast<float*>(workspace + at_.partial);
        mark(stages, "convert");
        launch(gpu, nm_convert, convert_, shape_, tiling_, buffers.x, reinterpret_cast<uint4*>(workspace));
        mark(stages, "multiply");
        // Not early: blocks that come while others still convert crowd the SMs that are free first, and stay there.
        launch(gpu, kernel_, multiply_, shape_, tiling_, reinterpret_cast<const unsigned short*>(workspace),
               weights(buffers), choice_.split > 1 ? partial : buffers.conv);
        if (choice_.split > 1) add_shares(early_, gpu, sum_, conv_shape_, tiling_.split, partial, buffers.conv);
    }
    int registers(const std::string& kernel) const override {
        if (kernel == "nm_convert") return registers_of(nm_convert);
        return kernel == "share_sum" ? share_sum_registers() : registers_of(kernel_);
    }

private:
    unsigned char* weights(const GpuBuffers& buffers) const {
        return dense_weights_.get() ? static_cast<unsigned char*>(dense_weights_.get())
                                    : reinterpret_cast<unsigned char*>(buffers.prepared_weights);
    }

    const ConvShape conv_shape_;
    const KernelShape shape_;
    const NmChoice choice_;
    const NmTiling tiling_;
    const NmWorkspace at_;
    const NmKernel kernel_;
    const KernelLaunch convert_, multiply_;
    const bool early_;  ///< share_sum's blocks may come before the products are done
    KernelLaunch sum_;
    GpuMemory more_workspace_, dense_weights_;  ///< where a user requests more shares, or the dense twin
};

}  // namespace

void register_nm(Registry& registry) {
    registry.add(make_nm1(make_program<NmProgram>, make_nhwc_pool));
}

}  // namespace convscope::on_cuda
