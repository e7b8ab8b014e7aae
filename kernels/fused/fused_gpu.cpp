// The fused methods' launcher and their registration. Compiled twice: by nvcc for the GPU, by the host's compiler for
// the simulated one.
#include "kernels/fused/fused0_kernel.h"
#include "kernels/fused/fused1_kernel.h"
#include "kernels/fused/fused2_kernel.h"
#include "kernels/fused/fused3_kernel.h"
#include "kernels/fused/fused4_kernel.h"
#include "kernels/fused/fused_methods.h"
#include "kernels/simt/gpu_families.h"
#include "kernels/simt/shared_programs.h"

namespace convscope::CONVSCOPE_DIALECT {
namespace {

using FusedKernel = void (*)(KernelShape, Global<const float>, Global<const float>, Global<float>);

template <int version, class Sizes, class Tile>
FusedKernel tiled_kernel() {
    if constexpr (version == 1) return fused1<Sizes, Tile>;
    if constexpr (version == 2) return fused2<Sizes, Tile>;
    if constexpr (version == 3) return fused3<Sizes, Tile>;
    if constexpr (version == 4) return fused4<Sizes, Tile>;
}

/// The version's kernel for one choice of compiled sizes, the tile as the instance has it.
template <int version, int filter>
FusedKernel kernel_of_filter(const FusedInstance& instance) {
    using Sizes = CompiledSizes<filter>;
    if constexpr (version == 0) {
        return fused0<Sizes>;
    } else {
        if (!instance.static_tile()) return tiled_kernel<version, Sizes, DynamicTile<Sizes>>();
        return instance.block_y == 16 ? tiled_kernel<version, Sizes, StaticTile<Sizes, 16, 16>>()
                                      : tiled_kernel<version, Sizes, StaticTile<Sizes, 16, 8>>();
    }
}

template <int version>
FusedKernel choose_kernel(const FusedInstance& instance) {
    if (instance.filter == 5) return kernel_of_filter<version, 5>(instance);
    if (instance.filter == 3) return kernel_of_filter<version, 3>(instance);
    if constexpr (version == 0)
        return fused0<AnySizes>;
    else
        return tiled_kernel<version, AnySizes, DynamicTile<AnySizes>>();
}

template <int version>
class FusedProgram final : public GpuProgram {
public:
    explicit FusedProgram(const GpuPlan& plan) : shape_(to_kernel_shape(plan.shape)), launch_(plan.kernels.front()) {
        const FusedInstance instance = fused_instance(plan);
        kernel_ = choose_kernel<version>(instance);
        // A launch asks a GPU for dynamic memory only; the simulated one reports all of it.
        if (device_kind == DeviceKind::cuda && instance.static_tile()) launch_.shared_bytes = 0;
    }

    void run(Gpu& gpu, const GpuBuffers& buffers, StageClock* stages) override {
        mark(stages, "multiply");
        launch(gpu, kernel_, launch_, shape_, buffers.x, buffers.w, buffers.y);
    }
    int registers(const std::string&) const override { return registers_of(kernel_); }

private:
    const KernelShape shape_;
    KernelLaunch launch_;
    FusedKernel kernel_;
};

}  // namespace

void register_fused(Registry& registry) {
    registry.add(make_fused(0, device_kind, make_program<FusedProgram<0>>));
    registry.add(make_fused(1, device_kind, make_program<FusedProgram<1>>));
    registry.add(make_fused(2, device_kind, make_program<FusedProgram<2>>));
    registry.add(make_fused(3, device_kind, make_program<FusedProgram<3>>));
    registry.add(make_fused(4, device_kind, make_program<FusedProgram<4>>));
}

}  // namespace convscope::CONVSCOPE_DIALECT
