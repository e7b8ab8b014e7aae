// Defines fused6's tiles, for its kernel and for planning its launch.
#pragma once

namespace convscope {

constexpr int fused6_rows = 16;         ///< of a tile of outputs, before pooling: 8 for each of two warpgroups
constexpr int fused6_tile_k = 32;       ///< channels of a K tile: 128 bytes, a row of the tensor cores' operands
constexpr int fused6_inputs = 2;        ///< K tiles of input in shared memory
constexpr int fused6_threads = 384;     ///< a warpgroup that fetches and two that multiply
constexpr int fused6_alignment = 1024;  ///< bytes after which the swizzle repeats
constexpr int fused6_max_filters = 128;

/// The values of a launch that follow from the shape and the tile.
struct Fused6Tiling {
    int k_tiles, filter_groups;
    int tiles_across, tiles_down, tiles;  ///< 'tiles' of all images and filter groups
    int box_rows, box_columns;            ///< of input: the tile with its margin
    int input_bytes;                      ///< of a K tile of it, rounded up to the alignment
    int stages;                           ///< weights of one tap in shared memory, each of 'filters' x 128 bytes
    int weight_pitch;                     ///< filters of a tap in the prepared weights
};

}  // namespace convscope
