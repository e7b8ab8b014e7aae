// The position of a tile of windows in its map.
#pragma once

#include "kernels/simt/dialect.h"
#include "kernels/simt/kernel_shape.h"

namespace convscope::hopper {

/// A tile's image, its first window (p, q), and the pixel under that window's first weight, which may lie in the
/// padding.
struct TilePlace {
    int image, p, q, row, column;
    /// Tiling: the windows of a tile, tile_h x tile_w, and the tiles of a map, tiles_h x tiles_w.
    template <typename Tiling>
    __device__ __forceinline__ TilePlace(const KernelShape& shape, const Tiling& tiling, int tile) {
        const int of_image = tiling.tiles_h * tiling.tiles_w;
        image = tile / of_image;
        p = (tile - image * of_image) / tiling.tiles_w * tiling.tile_h;
        q = tile % tiling.tiles_w * tiling.tile_w;
        row = p * shape.stride_h - shape.pad_h;
        column = q * shape.stride_w - shape.pad_w;
    }
};

}  // namespace convscope::hopper
