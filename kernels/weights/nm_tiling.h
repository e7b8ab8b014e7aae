// How nm1 divides a layer among blocks: what the planner tells the kernels. Plain ints, passed by value.
#pragma once

#include "kernels/weights/nm_layout.h"

namespace convscope {

constexpr int nm_stages = 3;  ///< K tiles of 64 channels that a block has in shared memory

struct NmTiling {
    int dilation_h, dilation_w;
    int padded_c;   ///< channels, rounded up to 64
    int row_tiles;  ///< tiles of 16 filters, filters rounded up to 128
    int pixels;     ///< n p q
    int k_tiles;    ///< of 64 channels, in all taps
    int split;      ///< blocks that share the K tiles
};

/// Threads of a block that has so many filters and pixels: warps of 32 x 32, or, of more, of 64 x 32.
constexpr int nm_warp_filters(int filters, int pixels) {
    return filters == 64 && pixels == 64 ? 32 : 64;
}
constexpr int nm_threads(int filters, int pixels) {
    return filters / nm_warp_filters(filters, pixels) * (pixels / 32) * 32;
}

/// Bytes of a stage: the tiles of the weights, then 64 channels of each pixel in FP16.
constexpr int nm_stage_bytes(bool sparse, int filters, int pixels) {
    return filters / nm_filters * nm_tile_bytes(sparse) + pixels * nm_channels * 2;
}

}  // namespace convscope
