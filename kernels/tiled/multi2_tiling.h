// How tiled-multi2 divides a layer, as the kernels take it. A block computes a tile: some filters at some outputs.
#pragma once

namespace convscope {

/// x and y as the kernel sees them: maps of h x w and p x q. A layer of 1x1 filters without padding is a map of any
/// width, so the planner lays its outputs out in rows as wide as a tile; the last row ends where the plane does.
struct Multi2Map {
    int h, w, p, q;
    int input_plane, output_plane;  ///< elements between channels, and where a channel ends
};

struct Multi2Tiling {
    Multi2Map map;
    int quads, lines;    ///< threads of a tile: 'quads' across, four outputs each, and 'lines' down
    int lanes;           ///< threads of a tile that are neighbours in a warp; quads * lines is a multiple
    int filter_groups;   ///< threads at one place, each with filters of its own
    int channel_groups;  ///< threads with the same outputs, each with some of the channels; a power of two
    int slice;           ///< channels that are copied at a time
    int stages;          ///< slices in shared memory: 2 or 3
    int channels;        ///< of a block, a multiple of 'slice'
    int rows, pitch;     ///< of a tile's input in shared memory
    int tiles_x, tiles;  ///< of an image
    int weights_pitch;   ///< k rounded up to a multiple of four
    int weight_copiers;  ///< threads that copy weights
};

}  // namespace convscope
