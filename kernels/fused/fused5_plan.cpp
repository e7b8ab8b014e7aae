#include "kernels/fused/fused5_plan.h"

#include <algorithm>
#include <array>

#include "kernels/fused/fused_extent.h"
#include "kernels/simt/launch_plan.h"

namespace convscope {
namespace {

template <class Tile>
Fused5Size size_of(const ConvShape& shape) {
    const std::int64_t slice = shape.r == 5 ? Fused5Slice<5, Tile>::elements : Fused5Slice<3, Tile>::elements;
    return {Tile::filters, Tile::rows, Tile::columns, Tile::threads, 2 * slice * float_bytes};
}

/// The work of the busiest SM's busiest scheduler, in multiply-adds of a warp for each tap, times 7. A scheduler
/// with one warp waits for it: it issues about 7 instructions in 10 cycles.
std::int64_t cost(const Fused5Size& size, const ConvShape& shape, const DeviceModel& model) {
    const std::int64_t blocks = size.tiles(shape) * size.groups(shape) * shape.n;
    const std::int64_t warps = ceil_div(ceil_div(blocks, std::max(model.sms, 1)) * size.threads / 32, 4);
    const std::int64_t sums = size.filters * size.rows * size.columns / size.threads;
    return warps * sums * (warps == 1 ? 10 : 7);
}

}  // namespace

bool has_compiled_sizes(const ConvShape& shape) {
    return shape.r == shape.s && (shape.r == 5 || shape.r == 3) && shape.stride_h == 1 && shape.stride_w == 1 &&
           shape.pool_h == 2 && shape.pool_w == 2 && shape.pool_stride == 2;
}

std::int64_t Fused5Size::tiles(const ConvShape& shape) const {
    return ceil_div(2 * shape.out_h(), rows) * ceil_div(2 * shape.out_w(), columns);
}
std::int64_t Fused5Size::groups(const ConvShape& shape) const {
    return ceil_div(shape.k, filters);
}

Fused5Size fused5_size(int tile, const ConvShape& shape) {
    if (tile == 1) return size_of<Fused5Large>(shape);
    return tile == 2 ? size_of<Fused5Medium>(shape) : size_of<Fused5Small>(shape);
}

int fused5_tile(const ConvShape& shape, const LaunchConfig& config, const DeviceModel& model) {
    const auto requested = config.tunables.find("tile");
    if (requested != config.tunables.end() && requested->second > 0) return static_cast<int>(requested->second);
    int best = 2;  // where both cost the same: of its two blocks on an SM one multiplies while the other waits
    for (const int tile : {1, 3})
        if (cost(fused5_size(tile, shape), shape, model) < cost(fused5_size(best, shape), shape, model)) best = tile;
    return best;
}

Fused5AnyTiling fused5_any_tiling(const ConvShape& shape, const DeviceModel& model) {
    constexpr std::int64_t widest = 16, outputs = 2 * fused5_any_patches;
    std::int64_t columns = std::min(widest, ceil_div(shape.out_w(), 2) * 2);
    std::int64_t rows = std::min(shape.out_h(), outputs / columns);
    const auto tiling = [&] {
        const auto extent = [&](std::int64_t count, std::int64_t pool, std::int64_t stride, std::int64_t filter) {
            return static_cast<int>(fused_tile_extent(count, pool, shape.pool_stride, stride, filter));
        };
        return Fused5AnyTiling{static_cast<int>(rows),
                               static_cast<int>(columns),
                               extent(rows, shape.pool_h, shape.stride_h, shape.r),
                               extent(columns, shape.pool_w, shape.stride_w, shape.s),
                               static_cast<int>(ceil_div(shape.out_w(), columns)),
                               static_cast<int>(ceil_div(shape.out_h(), rows))};
    };
    while (rows > 1 && fused5_any_bytes(tiling()) > model.shared_per_block) --rows;
    while (columns > 2 && fused5_any_bytes(tiling()) > model.shared_per_block_optin) columns -= 2;
    return tiling();
}

std::int64_t fused5_any_bytes(const Fused5AnyTiling& tiling) {
    const std::int64_t input = std::int64_t{tiling.tile_height} * tiling.tile_width;
    return (input + fused5_any_taps * fused5_any_filters) * float_bytes;
}

std::int64_t fused5_weight_pitch(const ConvShape& shape) {
    constexpr std::int64_t most = Fused5Large::filters;
    return ceil_div(shape.k, most) * most;
}

}  // namespace convscope
