// One grid as the shaders draw it: plain data.
#pragma once

#include <cstdint>

#include "visualizers/explain/aggregate.h"
#include "visualizers/grid/tile_pyramid.h"
#include "visualizers/theme/theme.h"

namespace convscope {

/// Framebuffer pixels, counted from the top left; half open.
struct PixelBox {
    int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    int width() const { return x1 - x0; }
    int height() const { return y1 - y0; }
    bool operator==(const PixelBox&) const = default;
};

/// One grid to draw, in framebuffer pixels counted from the top left.
struct GridDraw {
    unsigned buffer = 0;
    std::int64_t first = 0, row_stride = 0;
    std::int32_t rows = 0, cols = 0;
    bool integers = false, empty_slots = false, zero_is_a_value = false;
    ValueRange range;
    float x = 0, y = 0, width = 0, height = 0;  ///< of the grid's box
    float cell_w = 1, cell_h = 1;               ///< may be below one pixel
    std::int32_t left = 0, top = 0;             ///< column and row at the box's corner
    float left_part = 0, top_part = 0;          ///< and the parts of them that are scrolled away, 0..1
    std::int32_t tint_rows = 0, tint_first = 0;
    float hatch = 1, line = 1;  ///< strength of the hatching, hairline's width in px
    float scale = 1;
    const Theme* theme = nullptr;
    Aggregate aggregate = Aggregate::largest;
    /// The aggregates of the array, all of them built. Without it a few elements under each pixel stand for the rest.
    const TilePyramid* pyramid = nullptr;
    std::uint64_t contents = 0;  ///< other contents of the buffer have another number; 0: it is not known

    bool aggregated() const { return cell_w < 1 || cell_h < 1; }
    bool operator==(const GridDraw&) const = default;
};

}  // namespace convscope
