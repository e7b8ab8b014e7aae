// Tiles a layer for union1: the values that its plan hands to its kernels. Plain ints, passed by value.
#pragma once

#include <algorithm>

#include "kernels/layers/conv_shape.h"
#include "kernels/simt/launch_plan.h"

namespace convscope {

constexpr int union1_windows = 64;   ///< rows of a product
constexpr int union1_filters = 64;   ///< its columns
constexpr int union1_channels = 32;  ///< of a slice
constexpr int union1_pixels = 128;   ///< of a box at most: four for each lane

struct Union1Tiling {
    int leading;           ///< filters, rounded up to 64
    int slices;            ///< of 32 channels, where all are alive
    int tile_h, tile_w;    ///< windows of a tile, 64 at most
    int tiles_h, tiles_w;  ///< tiles of a map
    int box_h, box_w;      ///< inputs under a tile
    /// 2^16 / box_w and / tile_w, rounded up: (i * per) >> 16 is i / width for every pixel and window of a tile.
    int per_box_w, per_tile_w;
};

/// Rows of at most 16 windows, as many as 64 windows and the box allow.
inline Union1Tiling union1_tiling(const ConvShape& shape) {
    constexpr int widest = 16;
    const auto to_int = [](std::int64_t size) { return static_cast<int>(size); };
    const int p = to_int(shape.p()), q = to_int(shape.q());
    Union1Tiling tiling{};
    tiling.leading = to_int(ceil_div(shape.k, union1_filters) * union1_filters);
    tiling.slices = to_int(ceil_div(shape.c, union1_channels));
    tiling.tile_w = to_int(ceil_div(q, ceil_div(q, widest)));
    tiling.tile_h = std::min(p, union1_windows / tiling.tile_w);
    const auto side = [](int windows, std::int64_t stride, std::int64_t taps) {
        return static_cast<int>((windows - 1) * stride + taps);
    };
    while (true) {
        tiling.box_h = side(tiling.tile_h, shape.stride_h, shape.r);
        tiling.box_w = side(tiling.tile_w, shape.stride_w, shape.s);
        if (tiling.box_h * tiling.box_w <= union1_pixels || tiling.tile_h * tiling.tile_w == 1) break;
        --(tiling.tile_h > 1 ? tiling.tile_h : tiling.tile_w);
    }
    tiling.tiles_h = to_int(ceil_div(p, tiling.tile_h));
    tiling.tiles_w = to_int(ceil_div(q, tiling.tile_w));
    tiling.per_box_w = (1 << 16) / tiling.box_w + 1;
    tiling.per_tile_w = (1 << 16) / tiling.tile_w + 1;
    return tiling;
}

/// Tiles of all images.
inline std::int64_t union1_tiles(const ConvShape& shape, const Union1Tiling& tiling) {
    return shape.n * tiling.tiles_h * tiling.tiles_w;
}

}  // namespace convscope
