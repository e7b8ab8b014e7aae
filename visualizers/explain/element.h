// Names for what can be pointed at: one element of one array.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/layers/layout_builder.h"

namespace convscope {

/// Every array that a layout view can show.
enum class ArrayId { x, w, y, conv, im2col, L, F_data, K_data, Ptr, Data, Index, Count };
constexpr std::size_t array_count = 12;
const char* to_string(ArrayId);

struct Cell {
    std::int64_t row = 0, col = 0;
    auto operator<=>(const Cell&) const = default;
};

/// Rows and columns are those of the array as ArraySpec gives them.
struct ElementRef {
    ArrayId array = ArrayId::x;
    Cell cell;
    bool operator==(const ElementRef&) const = default;
};

/// The arrays of a format in the order of LayoutBuilder::build: x, w, then those of layout_arrays.
std::vector<ArrayId> arrays_of(Format);

}  // namespace convscope
