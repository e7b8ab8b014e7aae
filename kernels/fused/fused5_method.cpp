// fused5 without its kernels: shapes, launch space, what a configuration leads to.
#include <fmt/format.h>

#include "kernels/fused/fused5_plan.h"
#include "kernels/fused/fused_methods.h"

namespace convscope {
namespace {

class Fused5 final : public GpuMethod {
public:
    using GpuMethod::GpuMethod;

    bool fuses_pooling() const override { return true; }
    bool prepares_weights() const override { return true; }
    std::int64_t prepared_weight_bytes(const ConvShape& shape) const override {
        return shape.reduction() * fused5_weight_pitch(shape) * std::int64_t{sizeof(float)};
    }
    LaunchSpace launch_space(const ConvShape& shape) const override {
        if (!has_compiled_sizes(shape)) return {};
        return {
            false,
            false,
            {{"tile",
              "outputs of a block, before pooling: 1: 128 filters x 16x16, 2: 128 x 8x16, 3: 32 x 8x16; 0: as suits "
              "the layer and the GPU",
              {0, 1, 2, 3},
              0}}};
    }

private:
    Support accepts(const ConvShape& shape) const override {
        if (shape.pooled()) return {};
        return Support::no("fused5 pools in the kernel that convolves; this shape has no pooling");
    }

    // A multiply-add and its share of the loads, for the windows that the smallest tiles cover.
    double thread_steps(const ConvShape& shape) const override {
        constexpr std::int64_t rows = 8, columns = 16, filters = 32;
        const std::int64_t windows = ceil_div(shape.out_h() * shape.pool_h, rows) * rows *
                                     ceil_div(shape.out_w() * shape.pool_w, columns) * columns;
        return 2 * static_cast<double>(windows * ceil_div(shape.k, filters) * filters * shape.n) *
               static_cast<double>(shape.reduction());
    }

    ResolvedLaunch plan(const ConvShape& shape, const LaunchConfig& config, const DeviceModel& model) const override {
        if (!has_compiled_sizes(shape)) return plan_any(shape, model);
        const Fused5Size size = fused5_size(fused5_tile(shape, config, model), shape);
        return {{},
                {kernel_launch("fused5", "multiply", {size.tiles(shape), size.groups(shape), shape.n},
                               {size.threads, 1, 1}, size.shared_bytes)},
                0};
    }

    ResolvedLaunch plan_any(const ConvShape& shape, const DeviceModel& model) const {
        const Fused5AnyTiling tiling = fused5_any_tiling(shape, model);
        const std::int64_t bytes = fused5_any_bytes(tiling);
        if (bytes > model.shared_per_block_optin)
            return reject(
                fmt::format("two pooled outputs need {}x{} input elements, and with 32 weights of 64 filters "
                            "{} bytes of shared memory; {} has at most {} per block",
                            tiling.tile_height, tiling.tile_width, bytes, model.name, model.shared_per_block_optin));
        const std::int64_t tiles = std::int64_t{tiling.tiles_across} * tiling.tiles_down;
        return {{},
                {kernel_launch("fused5_any", "multiply", {tiles, ceil_div(shape.k, fused5_any_filters), shape.n},
                               {fused5_any_threads, 1, 1}, bytes)},
                0};
    }
};

}  // namespace

std::unique_ptr<Method> make_fused5(DeviceKind device, MakeGpuProgram program) {
    return std::make_unique<Fused5>(MethodInfo{.id = "fused5",
                                               .family = "fused",
                                               .title = "Fused, 8 filters x 16 outputs in a thread's registers",
                                               .paper = "Grisett",
                                               .follows = "The report's layer; register tiles, copies behind the "
                                                          "arithmetic",
                                               .device = device,
                                               .flops_executed = dense_pooled_flops,
                                               .stages = {"multiply"}},
                                    program, nullptr);
}

}  // namespace convscope
