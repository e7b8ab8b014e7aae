// Draws any array as cells or, below a pixel, as aggregates, straight from its buffer.
#pragma once

#include <memory>

#include "visualizers/grid/grid_draw.h"
#include "visualizers/grid/grid_pictures.h"

namespace convscope {

/// One per GL context.
class GridShader {
public:
    GridShader();
    /// Once per frame, before any draw.
    void begin_frame() { pictures_.begin_frame(); }
    /// Draws into the bound framebuffer of fb_width x fb_height px; the clip rectangle is in the same pixels.
    void draw(const GridDraw&, int fb_width, int fb_height, const float clip[4]);
    /// Whether this frame's image is coarser than a later one will be.
    bool coarse() const { return pictures_.coarse(); }

private:
    void draw_cells(const GridDraw&, const PixelBox&, int fb_height);

    GridPictures pictures_;
    std::unique_ptr<gl::Program> cells_;  ///< compiled when first needed
    gl::VertexArray vertices_;
};

}  // namespace convscope
