// Defines tensor1's tiles, for its kernels and for planning its launch.
#pragma once

#include "kernels/core/divisor.h"

namespace convscope {

constexpr int tensor1_side = 8;          ///< rows and columns of a tile of windows
constexpr int tensor1_windows = 64;      ///< of a tile: the rows of a product
constexpr int tensor1_tile_k = 32;       ///< channels of a K tile
constexpr int tensor1_row_bytes = 128;   ///< a K tile of a pixel or a filter: 32 FP32, or 32 FP16 and 32 residuals
constexpr int tensor1_steps = 2;         ///< of 16 channels, in a K tile: taken by one product, skipped as one
constexpr int tensor1_inputs = 2;        ///< boxes of input in shared memory
constexpr int tensor1_alignment = 1024;  ///< bytes after which the swizzle repeats
constexpr int tensor1_max_split_k = 8;   ///< blocks of a cluster, and shares of a tile's channels
constexpr int tensor1_blocks_per_sm = 2;
constexpr int tensor1_fetching_threads = 128, tensor1_multiplying_threads = 128;
constexpr int tensor1_splitting_warps = 3, tensor1_splitters = 32 * tensor1_splitting_warps;

/// Floats between windows in the sums that a block exposes to its cluster: padded by 8, so that the rows of a store
/// fall into different banks.
constexpr int tensor1_sums_pitch(int filters) {
    return filters + 8;
}

/// The values of a launch that follow from the shape and the tile.
struct Tensor1Tiling {
    int k_tiles, k_tiles_of_part, split_k;  ///< K tiles of 32 channels, or of a window's elements; the parts share them
    int items;                              ///< of all images, tiles, filter groups and parts
    int gathers;                            ///< 1: the windows themselves are the input, [windows][r s c], with one tap
    int taps_h, taps_w, step_h, step_w;     ///< taps and strides of the product: the layer's, or 1 where it gathers
    int box_rows, box_columns;              ///< pixels that one phase of a tile reads
    int input_bytes;                        ///< of a box, rounded up to the alignment
    int stages;                             ///< taps whose weights are in shared memory
    int leading;                            ///< filters of a tap in the prepared weights
    int promotion_interval;                 ///< taps after which the tensor cores' sums are added to the totals
    int pool;                               ///< 1: ReLU and 2x2 pooling when the results are stored
    Divisor by_split_k, by_filter_groups, by_tiles_across, by_tiles_down;
};

}  // namespace convscope
