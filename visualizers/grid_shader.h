// The one shader that draws any array as cells or, below a pixel, as aggregates. It reads the array straight from its
// buffer.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "visualizers/aggregate.h"
#include "visualizers/gl/objects.h"
#include "visualizers/theme.h"
#include "visualizers/tile_pyramid.h"

namespace convscope {

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
};

class GridShader {
public:
    GridShader();
    /// Draws into the bound framebuffer of fb_width x fb_height px; the clip rectangle is in the same pixels.
    void draw(const GridDraw&, int fb_width, int fb_height, const float clip[4]) const;

private:
    enum Kind { cells, samples, tiles };
    struct Box {
        int x0, y0, x1, y1;  ///< from the top left, half open
    };
    const gl::Program& program(Kind, Aggregate) const;
    void draw_tiles(const GridDraw&, std::size_t level, const Box&, int fb_height) const;
    void draw_bands(const GridDraw&, Kind, int most_taps, const Box&, int fb_height) const;

    /// Compiled when first needed; cells have no aggregate.
    mutable std::array<std::unique_ptr<gl::Program>, 1 + 2 * aggregate_count> programs_;
    gl::VertexArray vertices_;
};

}  // namespace convscope
