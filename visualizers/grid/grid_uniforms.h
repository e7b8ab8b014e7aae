// Shared by the programs that draw grids: their uniforms, and how a large buffer is bound.
#pragma once

#include <functional>

#include "visualizers/gl/objects.h"
#include "visualizers/grid/grid_draw.h"

namespace convscope {

/// Sets the grid's position and the appearance of its values. 'range' is that of the shown values. The program is in
/// use.
void set_grid_uniforms(const gl::Program&, const GridDraw&, const ValueRange& range);
void set_color_uniform(int location, const Rgba&);

/// Binds the rows under the box in as many bands as it takes, a shader being able to see so much of one buffer: most
/// arrays take one. Calls 'draw' with the pixel rows of each band, which may overlap those of its neighbours.
void for_each_band(const gl::Program&, const GridDraw&, const PixelBox&,
                   const std::function<void(int y0, int y1)>& draw);

}  // namespace convscope
