// The one shader that draws any array as cells. It reads the array straight from its buffer.
#pragma once

#include <cstdint>

#include "visualizers/gl/objects.h"
#include "visualizers/theme.h"

namespace convscope {

/// One grid to draw, in framebuffer pixels counted from the top left.
struct GridDraw {
    unsigned buffer = 0;
    std::uint32_t first = 0, row_stride = 0;
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
};

class GridShader {
public:
    GridShader();
    /// Draws into the bound framebuffer of fb_width x fb_height px; the clip rectangle is in the same pixels.
    void draw(const GridDraw&, int fb_width, int fb_height, const float clip[4]) const;

private:
    static void set_array(const gl::Program&, const GridDraw&);
    static void set_look(const gl::Program&, const GridDraw&);

    gl::Program exact_, aggregate_;
    gl::VertexArray vertices_;
};

}  // namespace convscope
