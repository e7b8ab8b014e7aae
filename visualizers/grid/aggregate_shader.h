// Draws what several elements that share a pixel amount to: from the tiles of a pyramid, or from the elements
// themselves.
#pragma once

#include <array>
#include <memory>

#include "visualizers/gl/objects.h"
#include "visualizers/grid/grid_draw.h"

namespace convscope {

class AggregateShader {
public:
    /// Draws the part of the grid that is in the box into the bound framebuffer, the box's upper left corner at the
    /// framebuffer's pixel (0, 0), one of its pixels for pitch x pitch of the box.
    void draw(const GridDraw&, const PixelBox&, int pitch) const;
    /// The cost of a pixel of the same image, in elements or tiles that are read.
    static double looks(const GridDraw&, int pitch);

private:
    enum Kind { samples, tiles };
    const gl::Program& program(Kind, Aggregate) const;
    void draw_tiles(const GridDraw&, std::size_t level, const PixelBox&, int pitch) const;
    void draw_samples(const GridDraw&, const PixelBox&, int pitch) const;

    mutable std::array<std::unique_ptr<gl::Program>, 2 * aggregate_count> programs_;  ///< compiled when first needed
};

}  // namespace convscope
