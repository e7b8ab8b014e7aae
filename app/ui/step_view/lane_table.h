// The value of a variable or an expression in each lane of a warp, as a small table in a tooltip.
#pragma once

#include <imgui.h>

#include <string>

#include "visualizers/step/known_values.h"

namespace convscope::app {

/// Below what lies between 'min' and 'max', or above it; the chosen thread's value is in the accent's colour.
void lane_tooltip(const LaneValues&, ImVec2 min, ImVec2 max, unsigned chosen);
/// "23", "F_data[30] is outside its 27 elements".
std::string lane_text(const LaneValue&);
}  // namespace convscope::app
