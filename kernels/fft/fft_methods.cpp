#include "kernels/fft/fft_methods.h"

#include <algorithm>

#include "kernels/fft/fft_size.h"
#include "kernels/im2col/im2col_methods.h"

namespace convscope {
namespace {

/// As many images as there are, up to four; and as many filters as leave enough threads to fill a large GPU.
FftTile default_tile(const ConvShape& shape) {
    constexpr std::int64_t most = 4, enough_threads = 1 << 16;
    FftTile tile;
    while (tile.images < most && 2 * tile.images <= shape.n) tile.images *= 2;
    const std::int64_t results = fft_sizes(shape).y.frequencies() * ceil_div(shape.n, tile.images);
    while (tile.filters < most && results * ceil_div(shape.k, 2 * tile.filters) >= enough_threads) tile.filters *= 2;
    return tile;
}

LaunchSpace product_space(const ConvShape& shape) {
    const FftTile default_value = default_tile(shape);
    return {true,
            false,
            {{"images", "images that one thread of the product has in registers", {1, 2, 4}, default_value.images},
             {"filters", "filters that one thread of the product has in registers", {1, 2, 4}, default_value.filters}}};
}

KernelLaunch in_stage(const char* stage, const ResolvedLaunch& lowering) {
    KernelLaunch kernel = lowering.kernels.front();
    kernel.stage = stage;
    return kernel;
}

class Fft1 final : public GpuMethod {
public:
    Fft1(DeviceKind device, MakeGpuProgram program, MakeGpuProgram pool)
        : GpuMethod({.id = "fft1",
                     .family = "fft",
                     .title = "FFT, kernels padded to the map's size",
                     .paper = "Cho & Brand 2017",
                     .follows = "section 2.2, FFT.gpu",
                     .device = device,
                     .summation = Summation::transform,
                     .flops_executed = fft_flops,
                     .stages = {"convert", "multiply", "invert", "pool"}},
                    program, pool) {}

    LaunchSpace launch_space(const ConvShape& shape) const override { return product_space(shape); }
    bool prepares_weights() const override { return true; }
    std::int64_t prepared_weight_bytes(const ConvShape& shape) const override { return fft_sizes(shape).w.bytes(); }
    std::int64_t format_bytes(const ConvShape& shape) const override {
        return fft_sizes(shape).y_offset() + fft_sizes(shape).y.bytes();
    }

private:
    // The transforms run in a library, some ten times as fast as simulated threads.
    double thread_steps(const ConvShape& shape) const override {
        const FftSizes sizes = fft_sizes(shape);
        const double products =
            static_cast<double>(sizes.y.maps * shape.c) * static_cast<double>(sizes.y.frequencies());
        return 6 * products + 2 * static_cast<double>(sizes.x.bytes() + sizes.w.bytes() + sizes.y.bytes());
    }

    ResolvedLaunch plan(const ConvShape& shape, const LaunchConfig& config, const DeviceModel& model) const override {
        constexpr std::int64_t warp = 32, warps = 8;
        const FftTile tile = fft_tile(shape, config);
        const std::int64_t groups = ceil_div(shape.k, tile.filters);
        const Dim3 block = config.block.value_or(Dim3{warp, std::min(groups, warps), 1});
        if (block.z != 1)
            return reject("block is " + to_string(block) +
                          "; x goes along the frequencies and y over groups of filters: NxMx1");
        const FftSizes sizes = fft_sizes(shape);
        const Dim3 grid{ceil_div(sizes.y.frequencies(), block.x), ceil_div(groups, block.y),
                        std::min(ceil_div(shape.n, tile.images), model.max_grid.z)};
        const KernelLaunch pad =
            in_stage("convert", plan_lowering("fft_pad", sizes.x.maps * sizes.x.rows, sizes.x.columns, {}));
        const KernelLaunch crop =
            in_stage("invert", plan_lowering("fft_crop", shape.n * shape.k * shape.p(), shape.q(), {}));
        return {{}, {pad, kernel_launch("fft_multiply", "multiply", grid, block), crop}, 1};
    }
};

}  // namespace

FftTile fft_tile(const ConvShape& shape, const LaunchConfig& config) {
    return {tunable(product_space(shape), config, "images"), tunable(product_space(shape), config, "filters")};
}

std::unique_ptr<Method> make_fft1(DeviceKind device, MakeGpuProgram program, MakeGpuProgram pool) {
    return std::make_unique<Fft1>(device, program, pool);
}

}  // namespace convscope
