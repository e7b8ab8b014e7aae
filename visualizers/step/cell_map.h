// Many things as small squares in a box, so that one can be picked: the blocks of a grid, the threads of a block.
// No ImGui.
#pragma once

#include <cstdint>
#include <optional>

namespace convscope {

/// Squares in rows of 'cols'. Where not all fit, only those from 'first' on are shown.
struct CellMap {
    std::int64_t cols = 1;
    std::int64_t first = 0, shown = 0;  ///< the squares that are drawn: first .. first + shown
    float side = 0, gap = 0;            ///< px

    struct Rect {
        float x, y, size;
    };
    /// Relative to the box.
    Rect rect(std::int64_t index) const;
    std::optional<std::int64_t> at(float x, float y) const;
    float width() const;
    float height() const;
};

/// Squares of 'least' to 'most' px in a box, at most 'cols' in a row. Where there are too many rows, the row is made
/// longer; where even the smallest squares do not fit, whole boxes full are shown, the one with 'chosen'.
CellMap fit_cells(float width, float height, std::int64_t cols, std::int64_t count, std::int64_t chosen, float least,
                  float most);

}  // namespace convscope
