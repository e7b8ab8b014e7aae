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
    bool partial;          ///< sums go to ecr4_sum or pecr4_pool, not to y
    float per_slab_area, per_slab_w, per_tile_w, per_channel_warps;  ///< inverses, for divisions in the kernel
};

}  // namespace convscope
