// The legend of cells' colours: drawn in one line, in the order in which readers need it.
#pragma once

#include <imgui.h>

#include "visualizers/plots/canvas.h"
#include "visualizers/style/control_hook.h"
#include "visualizers/style/view_style.h"

namespace convscope {

/// Draws to the left of 'right_top', in at most 'room' px: the colour map of the commoner kind of array (with or
/// without negative values), zero, the other colour map, then, where arrays have them, unused slots. Every array's
/// colours run to its own largest value: one array's numbers are printed, of several only "largest". What does not fit
/// is left out.
void draw_value_legend(ImVec2 right_top, float room, const ArrayColours&, const ViewStyle&);

/// The text of a legend in a file, in the units of its page.
struct LegendText {
    double size = 0, ascent = 0;  ///< of its letters
    double scale = 1;             ///< of all else
};
/// The same on any canvas.
void draw_value_legend(Canvas&, CanvasPoint right_top, double room, const ArrayColours&, const Theme&,
                       const LegendText&);

/// The greatest width of the colour map of one array and zero, at scale 1.
inline constexpr float value_legend_px = 274;
inline constexpr float value_legend_height_px = 14;

}  // namespace convscope
