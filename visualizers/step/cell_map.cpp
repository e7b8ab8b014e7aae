#include "visualizers/step/cell_map.h"

#include <algorithm>
#include <cmath>

namespace convscope {
namespace {

float gap_of(float side) {
    return side >= 6 ? 2.0F : 1.0F;
}

std::int64_t fitting(float room, float side) {
    return std::max<std::int64_t>(1, static_cast<std::int64_t>((room + gap_of(side)) / (side + gap_of(side))));
}

std::int64_t rows_of(std::int64_t count, std::int64_t cols) {
    return (count + cols - 1) / cols;
}

}  // namespace

CellMap::Rect CellMap::rect(std::int64_t index) const {
    const std::int64_t place = index - first;
    return {static_cast<float>(place % cols) * (side + gap), static_cast<float>(place / cols) * (side + gap), side};
}

std::optional<std::int64_t> CellMap::at(float x, float y) const {
    if (x < 0 || y < 0 || side <= 0) return std::nullopt;
    const auto col = static_cast<std::int64_t>(x / (side + gap)), row = static_cast<std::int64_t>(y / (side + gap));
    const std::int64_t index = row * cols + col;
    if (col >= cols || index >= shown) return std::nullopt;
    return first + index;
}

float CellMap::width() const {
    return static_cast<float>(std::min(cols, shown)) * (side + gap) - gap;
}

float CellMap::height() const {
    return static_cast<float>(rows_of(shown, cols)) * (side + gap) - gap;
}

CellMap fit_cells(float width, float height, std::int64_t cols, std::int64_t count, std::int64_t chosen, float least,
                  float most) {
    CellMap map;
    map.shown = std::max<std::int64_t>(0, count);
    cols = std::clamp<std::int64_t>(cols, 1, std::max<std::int64_t>(1, count));
    // The rows as they are wanted, then longer ones, each at the largest size that fits.
    for (const bool longer : {false, true})
        for (float side = most; side >= least; side -= 1) {
            map.side = side;
            map.gap = gap_of(side);
            map.cols = longer ? fitting(width, side) : cols;
            if (map.cols <= fitting(width, side) && rows_of(map.shown, map.cols) <= fitting(height, side)) return map;
        }
    map.side = least;
    map.gap = gap_of(least);
    map.cols = fitting(width, least);
    const std::int64_t box = map.cols * fitting(height, least);
    map.first = std::clamp<std::int64_t>(chosen, 0, map.shown - 1) / box * box;
    map.shown = std::min(box, map.shown - map.first);
    return map;
}

}  // namespace convscope
