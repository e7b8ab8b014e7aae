// The PECR methods' launchers and their registration. Compiled once per dialect (kernels/simt/dialect.h).
#include "kernels/ecr/ecr4_program.h"
#include "kernels/pecr/pecr1_kernel.h"
#include "kernels/pecr/pecr2_kernel.h"
#include "kernels/pecr/pecr3_kernels.h"
#include "kernels/pecr/pecr3_pack_kernel.h"
#include "kernels/pecr/pecr_methods.h"
#include "kernels/simt/gpu_families.h"
#include "kernels/simt/shared_programs.h"

namespace convscope::CONVSCOPE_DIALECT {
namespace {

class Pecr1Program final : public GpuProgram {
public:
    explicit Pecr1Program(const GpuPlan& plan) : shape_(to_kernel_shape(plan.shape)), launch_(plan.launch("pecr1")) {}

    void run(Gpu& gpu, const GpuBuffers& buffers, StageClock* stages) override {
        mark(stages, "multiply");
        const PecrExport nowhere{nullptr, nullptr, nullptr, nullptr};
        launch(gpu, pecr1<false>, launch_, shape_, buffers.x, buffers.w, buffers.y, nowhere);
    }
    int registers(const std::string&) const override { return registers_of(pecr1<false>); }

private:
    const KernelShape shape_;
    const KernelLaunch launch_;
};

class Pecr2Program final : public GpuProgram {
public:
    explicit Pecr2Program(const GpuPlan& plan) : shape_(to_kernel_shape(plan.shape)), launch_(plan.launch("pecr2")) {}

    void run(Gpu& gpu, const GpuBuffers& buffers, StageClock* stages) override {
        mark(stages, "multiply");
        launch(gpu, pecr2, launch_, shape_, buffers.x, buffers.w, buffers.y);
    }
    int registers(const std::string&) const override { return registers_of(pecr2); }

private:
    const KernelShape shape_;
    const KernelLaunch launch_;
};

class Pecr3Program final : public GpuProgram {
public:
    explicit Pecr3Program(const GpuPlan& plan)
        : conv_shape_(plan.shape),
          shape_(to_kernel_shape(plan.shape)),
          convert_(plan.launch("pecr3_convert")),
          multiply_(plan.launch("pecr3_multiply")) {}

    void prepare_weights(Gpu& gpu, const GpuBuffers& buffers) override {
        transpose_weights(gpu, conv_shape_, buffers, WeightOrder::crs_k);
    }
    void run(Gpu& gpu, const GpuBuffers& buffers, StageClock* stages) override {
        const CompressedWindows format = pecr3_format(conv_shape_);
        auto* values = reinterpret_cast<float*>(buffers.workspace + format.values());
        auto* positions = reinterpret_cast<int*>(buffers.workspace + format.positions());
        auto* counts = reinterpret_cast<int*>(buffers.workspace + format.counts());
        mark(stages, "convert");
        launch(gpu, pecr3_convert, convert_, shape_, buffers.x, values, positions, counts);
        mark(stages, "multiply");
        launch(gpu, pecr3_multiply, multiply_, shape_, values, positions, counts, buffers.prepared_weights, buffers.y);
    }
    int registers(const std::string& kernel) const override {
        return kernel == "pecr3_convert" ? registers_of(pecr3_convert) : registers_of(pecr3_multiply);
    }

private:
    const ConvShape conv_shape_;
    const KernelShape shape_;
    const KernelLaunch convert_, multiply_;
};

}  // namespace

void build_pecr_layout(Gpu& gpu, const ConvShape& shape, const DeviceModel& model, const std::vector<void*>& out) {
    const auto* x = static_cast<const float*>(out[0]);
    const auto* w = static_cast<const float*>(out[1]);
    auto* conv = static_cast<float*>(out[5]);
    // pecr1 computes only what pooling windows cover; the picture has the rest of the convolution, too.
    ConvShape convolution = shape;
    convolution.pool_h = convolution.pool_w = convolution.pool_stride = 0;
    convolve_single_map(gpu, convolution, model, x, w, conv);

    const auto method = make_pecr1(device_kind, make_program<Pecr1Program>);
    const PecrExport format{static_cast<float*>(out[2]), static_cast<int*>(out[3]), static_cast<int*>(out[4]), conv};
    launch(gpu, pecr1<true>, default_launch(*method, shape, model), to_kernel_shape(shape), x, w,
           static_cast<float*>(out[6]), format);
}

void build_pecr_layer(Gpu& gpu, const ConvShape& shape, const DeviceModel& model, std::int64_t units, const float* x,
                      CompressedLayer out) {
    const auto method = make_pecr3(device_kind, make_program<Pecr3Program>);
    KernelShape first = to_kernel_shape(shape);
    first.out_h = static_cast<int>(units);
    launch(gpu, pecr3_convert, default_launch(*method, shape, model, "pecr3_convert"), first, x, out.values,
           out.positions, out.counts);
}

void pack_pecr_layer(Gpu& gpu, const ConvShape& shape, const DeviceModel& model, std::int64_t units,
                     const int* segments, const int* counts, int* packed) {
    const auto method = make_pecr3(device_kind, make_program<Pecr3Program>);
    KernelShape first = to_kernel_shape(shape);
    first.out_h = static_cast<int>(units);
    KernelLaunch at = default_launch(*method, shape, model, "pecr3_convert");  // a warp for each window, too
    at.kernel = "pecr3_pack";
    launch(gpu, pecr3_pack, at, first, segments, counts, packed);
}

void register_pecr(Registry& registry) {
    registry.add(make_pecr1(device_kind, make_program<Pecr1Program>));
    registry.add(make_pecr2(device_kind, make_program<Pecr2Program>));
    registry.add(make_pecr3(device_kind, make_program<Pecr3Program>));
    registry.add(make_pecr4(device_kind, make_program<Ecr4Program<true>>));
}

}  // namespace convscope::CONVSCOPE_DIALECT
