// How ecr4 and pecr4 cut a layer up: what their plan hands to their kernels. Plain ints, passed by value.
#pragma once

namespace convscope {

struct Ecr4Tiling {
    int leading;           ///< weights from one row [c r s] to the next; filters, rounded up
    int slices;            ///< blocks that share the channels of a tile
    int slice;             ///< channels of one block
    int chunk;             ///< channels that a block takes at a time
    int channel_warps;     ///< warps that share the channels of a window
    int list;              ///< slots of a warp's list, a multiple of 32
    int tile_h, tile_w;    ///< windows of a block
    int tiles_h, tiles_w;  ///< tiles of a map
    int slab_h, slab_w;    ///< inputs under a tile
    int slab_plane;        ///< floats from one channel of the slab to the next
    int slab_floats;       ///< of a chunk, rounded up to 4
    int segments = 0;      ///< of tile_w windows, of a row, each a warp's: ecr4_staged
    int column_lanes = 0;  ///< lanes that list the non-zeros of a column: ecr4_staged
    bool partial;          ///< sums go to ecr4_sum, not to y
    float per_slab_area, per_slab_w, per_tile_w, per_channel_warps;  ///< inverses, for divisions
    float per_segments = 0;
};

/// Channels that a thread of ecr4_staged lists, for a filter of s x s.
constexpr int ecr4_staged_channels(int s) {
    return s == 1 ? 8 : 4;
}

}  // namespace convscope
