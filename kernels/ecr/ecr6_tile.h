// The tiles of ecr6, for its kernels and for planning its launch.
#pragma once

namespace convscope {

constexpr int ecr6_columns = 8;       ///< of a tile of outputs; its rows are 8 for each warpgroup that multiplies
constexpr int ecr6_slice = 32;        ///< channels of a slice: 128 bytes, a row of the tensor cores' factors
constexpr int ecr6_steps = 4;         ///< of 8 channels each, in a slice: what one product takes, and what is skipped
constexpr int ecr6_alignment = 1024;  ///< bytes after which the swizzle repeats
constexpr int ecr6_filter_pitch = 64;

/// Blocks that share an SM: two where each has few sums, so that one multiplies while the other begins or ends.
constexpr int ecr6_blocks_per_sm(int filters, int groups) {
    return filters == 64 && groups == 1 ? 2 : 1;
}

/// What of a launch follows from the shape and the tile.
struct Ecr6Tiling {
    int slices, slices_of_part, parts;  ///< slices of 32 channels, or elements of a window; the parts share them
    int filter_groups;
    int tiles_across, tiles_down, items;  ///< 'items' of all images, tiles, filter groups and parts
    int gathers;                          ///< 1: the windows themselves are the input, [windows][r s c], with one tap
    int taps_h, taps_w, step_h, step_w;   ///< taps and strides of the product: the layer's, or 1 where it gathers
    int box_rows, box_columns;            ///< pixels that one phase of a tile reads
    int input_bytes;                      ///< of a box, rounded up to the alignment
    int inputs;                           ///< boxes of input in shared memory
    int stages;                           ///< taps whose weights are in shared memory
    int leading;                          ///< filters of a tap in the prepared weights, and of a window in partial sums
    int flush;                            ///< taps after which the tensor cores' sums are added to the totals
    int pool;                             ///< 1: ReLU and 2x2 pooling when the results are stored
    int partial;                          ///< 1: partial sums are stored, for ecr6_sum
};

}  // namespace convscope
