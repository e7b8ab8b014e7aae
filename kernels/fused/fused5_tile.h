// The tiles of fused5, for its kernels and for planning their launches.
#pragma once

#include <cstdint>

namespace convscope {

/// A block's tile: 'filters' filters of 'rows' x 'columns' outputs of the convolution, before pooling. A thread
/// has 8 filters of a patch of 2 x thread_columns.
template <int Filters, int Rows, int Columns, int ThreadColumns>
struct Fused5Tile {
    static constexpr int filters = Filters, rows = Rows, columns = Columns, thread_columns = ThreadColumns;
    static constexpr int patch_columns = columns / thread_columns, patches = rows / 2 * patch_columns;
    static constexpr int threads = filters / 8 * patches;
    /// For LAUNCH_BOUNDS. A patch of 8 columns has 128 sums and takes all the registers that a thread can have; one of
    /// 4 takes half of them.
    static constexpr int bound = thread_columns == 8 ? 256 : 512;
    static_assert(filters % 32 == 0 && patches % 8 == 0 && threads <= bound);
};

/// The three that are compiled: the planner takes a smaller one where a layer would not fill the GPU.
using Fused5Large = Fused5Tile<128, 16, 16, 8>;
using Fused5Medium = Fused5Tile<128, 8, 16, 4>;
using Fused5Small = Fused5Tile<32, 8, 16, 4>;

/// A channel of a tile's input and of its filters in shared memory: input [rows][pitch], weights [taps][filters].
template <int Filter, class Tile>
struct Fused5Slice {
    /// A thread reads whole vectors, some of which end beyond its window.
    static constexpr int thread_inputs = (Tile::thread_columns + Filter - 1 + 3) / 4 * 4;
    static constexpr int rows = Tile::rows + Filter - 1;
    static constexpr int columns = Tile::columns - Tile::thread_columns + thread_inputs;
    /// 8 floats beyond a multiple of 16: patches of 4 columns that lie below each other read other banks.
    static constexpr int pitch = (columns + 7) / 16 * 16 + 8;
    static constexpr int input_elements = rows * pitch;
    static constexpr int elements = input_elements + Filter * Filter * Tile::filters;
    static_assert(pitch >= columns);
};

/// fused5_any: blocks of 64 filters and 32 patches of two neighbouring pooled outputs.
constexpr int fused5_any_filters = 64, fused5_any_patches = 32, fused5_any_threads = 256;
constexpr int fused5_any_taps = 32;  ///< weights of a filter in shared memory at a time

/// The values of its tile that follow from the shape.
struct Fused5AnyTiling {
    int rows, columns;             ///< pooled outputs, an even number of columns; rows columns / 2 <= patches
    int tile_height, tile_width;   ///< what they read of a channel: fused_tile_extent()
    int tiles_across, tiles_down;  ///< of the pooled map
};

}  // namespace convscope
