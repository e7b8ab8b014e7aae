// The legend of cells' colours: drawn in one line, in the order in which readers need it.
#pragma once

#include <vector>

#include <imgui.h>

#include "visualizers/style/view_style.h"

namespace convscope {

/// Draws to the left of 'right_top', in at most 'room' px: the colour map of the commoner kind of array (with or
/// without negative values), zero, the other colour map, then, where arrays have them, unused slots. Every array's
/// colours run to its own largest value: one array's numbers are printed, of several only "largest". What does not fit
/// is left out. 'unit' is that of printed numbers: "%".
void draw_value_legend(ImVec2 right_top, float room, const std::vector<ValueRange>&, bool unused_slots,
                       const ViewStyle&, const char* unit = "");

/// The greatest width of the colour map of one array and zero, at scale 1.
inline constexpr float value_legend_px = 274;

}  // namespace convscope
