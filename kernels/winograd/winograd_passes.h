// How the CPU shares out the tiles, and how V and M of one pass lie in memory.
#pragma once

#include <omp.h>

#include <algorithm>
#include <cstdint>

#include "kernels/core/ceil_div.h"
#include "kernels/winograd/winograd_tiles.h"

namespace convscope {

/// Passes of equal size: as many tiles in each as fill a second-level cache with V and M, but enough of them to make it
/// worth streaming U past. Each thread takes passes of its own, with its own V and M, and waits for no other; where
/// there are fewer passes than threads, all work on one pass at a time.
struct WinogradPasses {
    std::int64_t tiles = 0;    ///< of one pass
    std::int64_t at_once = 1;  ///< passes under way, each on one thread
};

inline WinogradPasses winograd_passes(const ConvShape& shape, std::int64_t threads = omp_get_max_threads()) {
    constexpr std::int64_t cache_bytes = 1 << 20, fewest = 96;
    const std::int64_t tiles = winograd_tiles(shape).count();
    const std::int64_t bytes_of_tile = f2x2_3x3::elements * (shape.c + shape.k) * std::int64_t{sizeof(float)};
    const std::int64_t passes = ceil_div(tiles, std::max(cache_bytes / bytes_of_tile, fewest));
    if (passes < threads) return {ceil_div(tiles, passes), 1};
    return {ceil_div(tiles, ceil_div(passes, threads) * threads), threads};
}

/// Floats from one plane of V or M to the next. A cache line more than the rows take: planes a multiple of 4096 bytes
/// apart would share the lines of a first-level cache, and there are more of them than it has ways.
inline std::int64_t winograd_plane(std::int64_t rows, std::int64_t columns) {
    constexpr std::int64_t line = 16;
    return (rows * columns + line - 1) / line * line + line;
}

}  // namespace convscope
