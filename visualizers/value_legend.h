// What the colours of cells mean: a strip with zero, the unused slot and the range of values.
#pragma once

#include <imgui.h>

#include "visualizers/theme.h"

namespace convscope {

/// Draws the strip so that it ends at 'right_top'; returns its width.
float draw_value_legend(ImVec2 right_top, const ValueRange&, bool unused_slots, const ViewStyle&);

}  // namespace convscope
