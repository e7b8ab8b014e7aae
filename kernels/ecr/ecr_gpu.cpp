// The ECR methods' launchers and their registration. Compiled once per dialect (kernels/simt/dialect.h).
#include "kernels/ecr/ecr1_kernel.h"
#include "kernels/ecr/ecr2_kernel.h"
#include "kernels/ecr/ecr3_kernels.h"
#include "kernels/ecr/ecr4_program.h"
#include "kernels/ecr/ecr_methods.h"
#include "kernels/simt/gpu_families.h"
#include "kernels/simt/shared_programs.h"

namespace convscope::CONVSCOPE_DIALECT {
namespace {

class Ecr1Program final : public GpuProgram {
public:
    explicit Ecr1Program(const GpuPlan& plan) : shape_(to_kernel_shape(plan.shape)), launch_(plan.launch("ecr1")) {}

    void run(Gpu& gpu, const GpuBuffers& buffers, StageClock* stages) override {
        mark(stages, "multiply");
        const EcrExport nowhere{nullptr, nullptr, nullptr};
        launch(gpu, ecr1<false>, launch_, shape_, buffers.x, buffers.w, buffers.conv, nowhere);
    }
    int registers(const std::string&) const override { return registers_of(ecr1<false>); }

private:
    const KernelShape shape_;
    const KernelLaunch launch_;
};

class Ecr2Program final : public GpuProgram {
public:
    explicit Ecr2Program(const GpuPlan& plan) : shape_(to_kernel_shape(plan.shape)), launch_(plan.launch("ecr2")) {}

    void run(Gpu& gpu, const GpuBuffers& buffers, StageClock* stages) override {
        mark(stages, "multiply");
        launch(gpu, ecr2, launch_, shape_, buffers.x, buffers.w, buffers.conv);
    }
    int registers(const std::string&) const override { return registers_of(ecr2); }

private:
    const KernelShape shape_;
    const KernelLaunch launch_;
};

class Ecr3Program final : public GpuProgram {
public:
    explicit Ecr3Program(const GpuPlan& plan)
        : conv_shape_(plan.shape),
          shape_(to_kernel_shape(plan.shape)),
          convert_(plan.launch("ecr3_convert")),
          multiply_(plan.launch("ecr3_multiply")) {}

    void prepare_weights(Gpu& gpu, const GpuBuffers& buffers) override {
        transpose_weights(gpu, conv_shape_, buffers, WeightOrder::crs_k);
    }
    void run(Gpu& gpu, const GpuBuffers& buffers, StageClock* stages) override {
        const CompressedWindows format = ecr3_format(conv_shape_);
        auto* values = reinterpret_cast<float*>(buffers.workspace + format.values());
        auto* positions = reinterpret_cast<int*>(buffers.workspace + format.positions());
        auto* counts = reinterpret_cast<int*>(buffers.workspace + format.counts());
        mark(stages, "convert");
        launch(gpu, ecr3_convert, convert_, shape_, buffers.x, values, positions, counts);
        mark(stages, "multiply");
        launch(gpu, ecr3_multiply, multiply_, shape_, values, positions, counts, buffers.prepared_weights,
               buffers.conv);
    }
    int registers(const std::string& kernel) const override {
        return kernel == "ecr3_convert" ? registers_of(ecr3_convert) : registers_of(ecr3_multiply);
    }

private:
    const ConvShape conv_shape_;
    const KernelShape shape_;
    const KernelLaunch convert_, multiply_;
};

}  // namespace

void build_ecr_layout(Gpu& gpu, const ConvShape& shape, const DeviceModel& model, const std::vector<void*>& out) {
    const auto method = make_ecr1(device_kind, make_program<Ecr1Program>, make_nchw_pool);
    const EcrExport format{static_cast<float*>(out[2]), static_cast<float*>(out[3]), static_cast<int*>(out[4])};
    launch(gpu, ecr1<true>, default_launch(*method, shape, model), to_kernel_shape(shape),
           static_cast<const float*>(out[0]), static_cast<const float*>(out[1]), static_cast<float*>(out[5]), format);
}

void build_ecr_layer(Gpu& gpu, const ConvShape& shape, const DeviceModel& model, std::int64_t units, const float* x,
                     CompressedLayer out) {
    const auto method = make_ecr3(device_kind, make_program<Ecr3Program>, make_nchw_pool);
    KernelShape first = to_kernel_shape(shape);
    first.p = static_cast<int>(units);
    launch(gpu, ecr3_convert, default_launch(*method, shape, model, "ecr3_convert"), first, x, out.values,
           out.positions, out.counts);
}

void convolve_single_map(Gpu& gpu, const ConvShape& shape, const DeviceModel& model, const float* x, const float* w,
                         float* y) {
    const auto method = make_ecr1(device_kind, make_program<Ecr1Program>, make_nchw_pool);
    const EcrExport nowhere{nullptr, nullptr, nullptr};
    launch(gpu, ecr1<false>, default_launch(*method, shape, model), to_kernel_shape(shape), x, w, y, nowhere);
}

void register_ecr(Registry& registry) {
    registry.add(make_ecr1(device_kind, make_program<Ecr1Program>, make_nchw_pool));
    registry.add(make_ecr2(device_kind, make_program<Ecr2Program>, make_nchw_pool));
    registry.add(make_ecr3(device_kind, make_program<Ecr3Program>, make_nchw_pool));
    registry.add(make_ecr4(device_kind, make_program<Ecr4Program<false>>, make_nchw_pool));
}

}  // namespace convscope::CONVSCOPE_DIALECT
