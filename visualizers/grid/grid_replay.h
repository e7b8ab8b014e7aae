// A grid that is on the screen, drawn again in a file.
#pragma once

#include <functional>

#include "visualizers/gl/image.h"
#include "visualizers/grid/grid_draw.h"
#include "visualizers/plots/file_canvas.h"

namespace convscope {

/// Cells as shapes; where they are too small for that, the pixels of the screen: 'pixels' reads those in a box of it,
/// and makes the box smaller where it is partly off the screen. The GL context that drew it is current.
void replay_grid(const GridDraw&, FileCanvas&, const std::function<gl::Image(CanvasBox&)>& pixels);

}  // namespace convscope
