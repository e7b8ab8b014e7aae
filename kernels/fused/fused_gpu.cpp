// The fused methods' launcher and their registration. Compiled once per dialect (kernels/simt/dialect.h).
#include <array>

#include "kernels/fused/fused0_kernel.h"
#include "kernels/fused/fused1_kernel.h"
#include "kernels/fused/fused2_kernel.h"
#include "kernels/fused/fused3_kernel.h"
#include "kernels/fused/fused4_kernel.h"
#include "kernels/fused/fused5_any_kernel.h"
#include "kernels/fused/fused5_kernel.h"
#include "kernels/fused/fused5_plan.h"
#include "kernels/fused/fused_methods.h"
#include "kernels/method/registry.h"
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

using Fused5Kernel = void (*)(KernelShape, int, Global<const float>, Global<const float>, Global<float>);

template <class Tile>
Fused5Kernel fused5_of(std::int64_t filter) {
    return filter == 5 ? fused5<5, Tile> : fused5<3, Tile>;
}

class Fused5Program final : public GpuProgram {
public:
    explicit Fused5Program(const GpuPlan& plan)
        : shape_(plan.shape), sizes_(to_kernel_shape(plan.shape)), launch_(plan.kernels.front()) {
        constexpr std::array<Fused5Kernel (*)(std::int64_t), 3> tiles{fused5_of<Fused5Large>, fused5_of<Fused5Medium>,
                                                                      fused5_of<Fused5Small>};
        if (has_compiled_sizes(shape_))
            kernel_ = tiles[static_cast<std::size_t>(fused5_tile(shape_, plan.config, plan.model) - 1)](shape_.r);
        else
            any_ = fused5_any_tiling(shape_, plan.model);
    }

    void prepare_weights(Gpu& gpu, const GpuBuffers& buffers) override {
        const std::int64_t pitch = fused5_weight_pitch(shape_);
        const auto bytes = static_cast<std::size_t>(shape_.reduction() * pitch) * sizeof(float);
        if (pitch > shape_.k) gpu.fill_bytes(buffers.prepared_weights, 0, bytes);
        transpose_weights(gpu, shape_, buffers, WeightOrder::crs_k, pitch);
    }
    void run(Gpu& gpu, const GpuBuffers& buffers, StageClock* stages) override {
        mark(stages, "multiply");
        const int pitch = static_cast<int>(fused5_weight_pitch(shape_));
        if (kernel_)
            launch(gpu, kernel_, launch_, sizes_, pitch, buffers.x, buffers.prepared_weights, buffers.y);
        else
            launch(gpu, fused5_any, launch_, sizes_, any_, pitch, buffers.x, buffers.prepared_weights, buffers.y);
    }
    int registers(const std::string&) const override {
        return kernel_ ? registers_of(kernel_) : registers_of(fused5_any);
    }

private:
    const ConvShape shape_;
    const KernelShape sizes_;
    const KernelLaunch launch_;
    Fused5Kernel kernel_ = nullptr;  ///< null where no sizes are compiled in
    Fused5AnyTiling any_{};
};

}  // namespace

void register_fused(Registry& registry) {
    registry.add(make_fused(0, device_kind, make_program<FusedProgram<0>>));
    registry.add(make_fused(1, device_kind, make_program<FusedProgram<1>>));
    registry.add(make_fused(2, device_kind, make_program<FusedProgram<2>>));
    registry.add(make_fused(3, device_kind, make_program<FusedProgram<3>>));
    registry.add(make_fused(4, device_kind, make_program<FusedProgram<4>>));
    registry.add(make_fused5(device_kind, make_program<Fused5Program>));
}

}  // namespace convscope::CONVSCOPE_DIALECT
