#include "kernels/csr/csr_methods.h"

#include <algorithm>

#include "kernels/csr/csr_limits.h"
#include "kernels/im2col/im2col_methods.h"

namespace convscope {
namespace {

LaunchSpace tile_space(const ConvShape& shape) {
    return {true, true, {csr_tile_tunable(shape.im2col_elements())}};
}

class Csr1 final : public GpuMethod {
public:
    Csr1(DeviceKind device, MakeGpuProgram program, MakeGpuProgram pool)
        : GpuMethod({.id = "csr1",
                     .family = "csr",
                     .title = "Extension, compression to CSR, sparse product",
                     .paper = "Xu 2022",
                     .follows = "sections 1 and 8, the cuSPARSE baseline",
                     .device = device,
                     .layout = Layout::nhwc,
                     .flops_executed = nonzero_flops,
                     .stages = {"extend", "compress", "multiply", "pool"}},
                    program, pool) {}

    LaunchSpace launch_space(const ConvShape& shape) const override { return tile_space(shape); }
    bool prepares_weights() const override { return true; }
    std::int64_t prepared_weight_bytes(const ConvShape& shape) const override {
        return shape.reduction() * csr_leading_weights(shape) * std::int64_t{sizeof(float)};
    }
    std::int64_t format_bytes(const ConvShape& shape) const override { return csr_format(shape).bytes(); }

private:
    Support accepts(const ConvShape& shape) const override { return csr_countable(shape); }

    // The sparse product runs in a library, some ten times as fast as simulated threads.
    double thread_steps(const ConvShape& shape) const override {
        return 8.0 * static_cast<double>(shape.im2col_elements()) + 0.05 * shape.flops_dense();
    }

    ResolvedLaunch plan(const ConvShape& shape, const LaunchConfig& config, const DeviceModel&) const override {
        const CsrFormat format = csr_format(shape);
        ResolvedLaunch resolved = plan_lowering("im2col_lower", format.rows, format.row_length, config);
        if (!resolved.support) return resolved;
        resolved.kernels[0].stage = "extend";
        for (const KernelLaunch& kernel : plan_compaction(ceil_div(format.elements(), csr_tile(shape, config))))
            resolved.kernels.push_back(kernel);
        return resolved;
    }
};

}  // namespace

CsrFormat csr_format(const ConvShape& shape) {
    return {shape.n * shape.p() * shape.q(), shape.reduction()};
}

Tunable csr_tile_tunable(std::int64_t elements) {
    // Small maps need all the warps that they can get; of large ones the counts of all tiles are summed up by one
    // block.
    std::int64_t tile = CsrFormat::min_tile;
    while (tile < 8192 && ceil_div(elements, tile) > csr_max_tiles) tile *= 2;
    return {"tile",
            "elements of the matrix that one warp compresses",
            {CsrFormat::min_tile, 512, 1024, 2048, 4096, 8192},
            tile};
}

std::array<KernelLaunch, 3> plan_compaction(std::int64_t tiles) {
    constexpr std::int64_t warp = 32, warps = 8, max_threads = 1024;
    const Dim3 grid{ceil_div(tiles, warps), 1, 1}, block{warps * warp, 1, 1};
    const Dim3 scan_block{std::min(max_threads, ceil_div(tiles, warp) * warp), 1, 1};
    constexpr std::int64_t scan_shared = 32 * sizeof(int);
    return {kernel_launch("csr_count", "compress", grid, block),
            kernel_launch("csr_scan", "compress", {1, 1, 1}, scan_block, scan_shared),
            kernel_launch("csr_fill", "compress", grid, block)};
}

std::int64_t csr_leading_weights(const ConvShape& shape) {
    return std::max(shape.k, SparseProductShape::min_ldd);
}

std::int64_t csr_tile(const ConvShape& shape, const LaunchConfig& config) {
    return tunable(tile_space(shape), config, "tile");
}

std::unique_ptr<Method> make_csr1(DeviceKind device, MakeGpuProgram program, MakeGpuProgram pool) {
    return std::make_unique<Csr1>(device, program, pool);
}

}  // namespace convscope
