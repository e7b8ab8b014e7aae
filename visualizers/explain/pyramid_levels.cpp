#include "visualizers/explain/pyramid_levels.h"

#include <algorithm>
#include <cmath>

namespace convscope {
namespace {

constexpr int base_log2 = 4;            // 16 elements in the finest tiles
constexpr std::int64_t few_tiles = 64;  // a level of so few is the last
constexpr double screen_aspect = 1.6;   // width over height of the view that the tiles are shaped for

std::int64_t pieces(std::int64_t length, std::int64_t each) {
    return (length + each - 1) / each;
}

PyramidLevel level_of(std::int64_t rows, std::int64_t cols, std::int64_t tile_rows, std::int64_t tile_cols) {
    return {tile_rows, tile_cols, pieces(rows, tile_rows), pieces(cols, tile_cols)};
}

/// The next tile: four times the area, towards the shape 'wanted' (log2 of rows over columns).
PyramidLevel coarser(std::int64_t rows, std::int64_t cols, const PyramidLevel& level, double wanted) {
    const double lacking =
        wanted - std::log2(static_cast<double>(level.tile_rows) / static_cast<double>(level.tile_cols));
    std::int64_t down = 2, across = 2;
    if (lacking >= 1 || level.cols == 1) down = 4, across = 1;
    if (lacking <= -1 || level.rows == 1) down = 1, across = 4;
    return level_of(rows, cols, level.tile_rows * down, level.tile_cols * across);
}

}  // namespace

std::vector<PyramidLevel> pyramid_levels(std::int64_t rows, std::int64_t cols) {
    std::vector<PyramidLevel> levels;
    if (rows < 1 || cols < 1 || rows * cols < few_tiles) return levels;
    const double wanted = std::log2(static_cast<double>(rows) / static_cast<double>(cols) * screen_aspect);
    const int down = std::clamp(static_cast<int>(std::lround((base_log2 + wanted) / 2)), 0, base_log2);
    levels.push_back(level_of(rows, cols, std::int64_t{1} << down, std::int64_t{1} << (base_log2 - down)));
    while (levels.back().tiles() > few_tiles) levels.push_back(coarser(rows, cols, levels.back(), wanted));
    return levels;
}

std::size_t level_for(const std::vector<PyramidLevel>& levels, double rows_per_pixel, double cols_per_pixel) {
    const double rows = std::max(1.0, rows_per_pixel), cols = std::max(1.0, cols_per_pixel);
    std::size_t best = no_level;
    for (std::size_t i = 0; i < levels.size(); ++i)
        if (static_cast<double>(levels[i].tile_rows) <= rows && static_cast<double>(levels[i].tile_cols) <= cols)
            best = i;
    if (best != no_level || levels.empty()) return best;
    return std::ceil(rows) * std::ceil(cols) <= max_single_taps ? no_level : 0;
}

}  // namespace convscope
