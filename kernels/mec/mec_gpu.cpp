// The MEC methods' launchers and their registration. Compiled once per dialect (kernels/simt/dialect.h).
#include <array>

#include "kernels/mec/mec3_lower_kernel.h"
#include "kernels/mec/mec_kernels.h"
#include "kernels/mec/mec_methods.h"
#include "kernels/mec/mec_multiply_kernel.h"
#include "kernels/simt/gpu_families.h"
#include "kernels/simt/shared_programs.h"
#if defined(__CUDACC__)
#include "kernels/mec/lower_strips.h"
#endif

namespace convscope::CONVSCOPE_DIALECT {
namespace {

class MecProgram final : public GpuProgram {
public:
    explicit MecProgram(const GpuPlan& plan)
        : conv_shape_(plan.shape),
          shape_(to_kernel_shape(plan.shape)),
          lower_(plan.launch("mec_lower")),
          solution_a_(plan.find("mec_permute") != nullptr) {
        if (!solution_a_) return;
        copy_ = plan.launch("mec_copy");
        permute_ = plan.launch("mec_permute");
    }

    // Lines 11-13 (Solution A: one product per output row) and 21-25 (Solution B: one per image and output row). The
    // partitions are read where they lie in L, a row of L being the leading dimension.
    void bind(Gpu& gpu, const GpuBuffers& buffers) override {
        const ConvShape& s = conv_shape_;
        const std::int64_t row = s.padded_h() * s.s * s.c, partition = s.stride_h * s.s * s.c;
        const std::int64_t groups = solution_a_ ? 1 : s.n;  // images multiplied separately
        const std::int64_t rows = s.n / groups * s.q();     // rows of L in one product
        const auto* L = reinterpret_cast<const float*>(buffers.workspace);
        std::vector<const float*> a, b;
        std::vector<float*> c;
        for (std::int64_t group = 0; group < groups; ++group)
            for (std::int64_t h = 0; h < s.p(); ++h) {
                a.push_back(L + group * rows * row + h * partition);
                b.push_back(buffers.prepared_weights);
                c.push_back(buffers.conv + (group * s.p() + h) * rows * s.k);
            }
        products_ = gpu.make_batched_gemm({rows, s.k, s.reduction(), row, s.k, s.k}, a, b, c);
    }
    void unbind() override { products_.reset(); }
    std::int64_t bound_bytes() const override { return products_ ? products_->device_bytes() : 0; }

    void prepare_weights(Gpu& gpu, const GpuBuffers& buffers) override {
        transpose_weights(gpu, conv_shape_, buffers, WeightOrder::rsc_k);
    }
    void run(Gpu& gpu, const GpuBuffers& buffers, StageClock* stages) override {
        auto* L = reinterpret_cast<float*>(buffers.workspace);
        mark(stages, "convert");
        launch(gpu, mec_lower, lower_, shape_, buffers.x, L);
        mark(stages, "multiply");
        products_->run();
        if (!solution_a_) return;
        // Lines 14-19: L is no longer needed, and holds the output while it is put into n-h-w-c order.
        launch(gpu, mec_copy, copy_, buffers.conv, L, static_cast<long long>(conv_shape_.conv_elements()));
        launch(gpu, mec_permute, permute_, shape_, L, buffers.conv);
    }
    int registers(const std::string& kernel) const override {
        if (kernel == "mec_copy") return registers_of(mec_copy);
        return kernel == "mec_permute" ? registers_of(mec_permute) : registers_of(mec_lower);
    }

private:
    const ConvShape conv_shape_;
    const KernelShape shape_;
    const KernelLaunch lower_;
    const bool solution_a_;
    KernelLaunch copy_, permute_;
    std::unique_ptr<BatchedGemm> products_;
};

using LowerKernel = void (*)(KernelShape, int, Global<const float>, Global<float>);

LowerKernel lower_kernel(const ConvShape& shape) {
    return shape.c % 4 == 0 ? LowerKernel{mec3_lower<float4>} : LowerKernel{mec3_lower<float>};
}

using MultiplyKernel = void (*)(KernelShape, MecTiling, bool, Global<const float>, Global<const float>, Global<float>);

MultiplyKernel multiply_kernel(const MecPlan& plan) {
    if (plan.outputs == 64) return mec_multiply<MecTile<1, 2>>;
    if (plan.filters == 64) return mec_multiply<MecTile<2, 2>>;
    return plan.filters == 96 ? mec_multiply<MecTile<2, 3>> : mec_multiply<MecTile<2, 4>>;
}

/// mec3 where the plan has a lowering, else mec4.
class MecTiledProgram final : public GpuProgram {
public:
    explicit MecTiledProgram(const GpuPlan& plan)
        : conv_shape_(plan.shape),
          shape_(to_kernel_shape(plan.shape)),
          plan_(plan_mec_method(mec4_info(device_kind), plan.shape, plan.config, plan.model)),
          lowers_(plan.find("mec3_lower") != nullptr),
          multiply_(plan.launch("mec_multiply")),
          lower_kernel_(lower_kernel(plan.shape)),
          multiply_kernel_(multiply_kernel(plan_)) {
        if (lowers_) lower_ = plan.launch("mec3_lower");
    }

    void prepare_weights(Gpu& gpu, const GpuBuffers& buffers) override {
        transpose_weights(gpu, conv_shape_, buffers, WeightOrder::rsc_k);
    }
    void run(Gpu& gpu, const GpuBuffers& buffers, StageClock* stages) override {
        const float* source = buffers.x;
        if (lowers_) {
            auto* L = reinterpret_cast<float*>(buffers.workspace);
            mark(stages, "convert");
            launch(gpu, lower_kernel_, lower_, shape_, static_cast<int>(mec3_chunks(conv_shape_)), buffers.x, L);
            source = L;
        }
        mark(stages, "multiply");
        launch_clusters(gpu, multiply_kernel_, multiply_, shape_, plan_.tiling, lowers_, source,
                        static_cast<const float*>(buffers.prepared_weights), buffers.conv);
    }
    int registers(const std::string& kernel) const override {
        return kernel == "mec3_lower" ? registers_of(lower_kernel_) : registers_of(multiply_kernel_);
    }

private:
    const ConvShape conv_shape_;
    const KernelShape shape_;
    const MecPlan plan_;
    const bool lowers_;
    const KernelLaunch multiply_;
    const LowerKernel lower_kernel_;
    const MultiplyKernel multiply_kernel_;
    KernelLaunch lower_;
};

}  // namespace

#if defined(__CUDACC__)
void lower_strips(Gpu& gpu, const ConvShape& shape, const float* x, float* L) {
    launch(gpu, lower_kernel(shape), mec3_lowering(shape), to_kernel_shape(shape), static_cast<int>(mec3_chunks(shape)),
           x, L);
}
int strip_registers(const ConvShape& shape) {
    return registers_of(lower_kernel(shape));
}
#endif

void build_mec_layout(Gpu& gpu, const ConvShape& shape, const DeviceModel& model, const std::vector<void*>& out) {
    const auto methods = make_mec_methods(device_kind, make_program<MecProgram>, make_nhwc_pool);
    auto* L = static_cast<float*>(out[2]);
    auto* y = static_cast<float*>(out[3]);
    launch(gpu, mec_lower, default_launch(*methods.front(), shape, model), to_kernel_shape(shape),
           static_cast<const float*>(out[0]), L);
    // Algorithm 1, lines 10-12.
    const GemmShape product{shape.q(), 1, shape.window(), shape.padded_h() * shape.s, 1, 1};
    for (std::int64_t h = 0; h < shape.p(); ++h)
        gpu.gemm(product, L + h * shape.stride_h * shape.s, static_cast<const float*>(out[1]), y + h * shape.q());
}

void build_mec_layer(Gpu& gpu, const ConvShape& shape, const DeviceModel& model, std::int64_t units, const float* x,
                     float* L) {
    const auto methods = make_mec_methods(device_kind, make_program<MecProgram>, make_nhwc_pool);
    KernelShape first = to_kernel_shape(shape);
    first.q = static_cast<int>(units);
    launch(gpu, mec_lower, default_launch(*methods.back(), shape, model, "mec_lower"), first, x, L);
}

void register_mec(Registry& registry) {
    for (auto& method : make_mec_methods(device_kind, make_program<MecProgram>, make_nhwc_pool))
        registry.add(std::move(method));
    for (const MethodInfo& info : std::array{mec3_info(device_kind), mec4_info(device_kind)})
        registry.add(make_mec_tiled(info, make_program<MecTiledProgram>, make_nhwc_pool));
}

}  // namespace convscope::CONVSCOPE_DIALECT
