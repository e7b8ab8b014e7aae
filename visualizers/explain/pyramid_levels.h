// How a large array is cut into tiles, coarser from level to level: plain arithmetic, no OpenGL.
#pragma once

#include <cstdint>
#include <vector>

namespace convscope {

/// One level: tiles of tile_rows x tile_cols elements, in 'rows' rows of 'cols' tiles. Tiles at the lower and the
/// right edge may be cut.
struct PyramidLevel {
    std::int64_t tile_rows = 1, tile_cols = 1;
    std::int64_t rows = 0, cols = 0;
    std::int64_t tiles() const { return rows * cols; }
    bool operator==(const PyramidLevel&) const = default;
};

/// The levels of a rows x cols array, the finest first: 16 elements in a tile, then four times as many from level to
/// level. Tiles have the shape that makes them about square on a screen that the whole array fills, so a matrix of
/// 200 000 x 576 is first aggregated along its rows alone. No levels for an array of fewer than 64 elements.
std::vector<PyramidLevel> pyramid_levels(std::int64_t rows, std::int64_t cols);

constexpr std::size_t no_level = static_cast<std::size_t>(-1);

/// The level to draw from where a pixel covers rows_per_pixel x cols_per_pixel elements: the coarsest level whose tiles
/// are no larger than a pixel; no_level where few enough elements are under a pixel to look at each of them. Where
/// neither holds, the finest level: its tiles are then somewhat larger than a pixel.
std::size_t level_for(const std::vector<PyramidLevel>&, double rows_per_pixel, double cols_per_pixel);

/// Elements under a pixel that are looked at one by one, at most.
constexpr double max_single_taps = 24;

}  // namespace convscope
