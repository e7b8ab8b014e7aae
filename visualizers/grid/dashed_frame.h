// The sign for what two share - columns of L that are in two partitions, columns of x in two windows: a dashed frame,
// since hatching already means zero.
#pragma once

#include <imgui.h>

#include "visualizers/theme/color.h"

namespace convscope {

/// Just inside the rectangle; 'scale': of the interface.
void draw_dashed_frame(ImDrawList*, ImVec2 a, ImVec2 b, const Rgba&, float scale);

}  // namespace convscope
