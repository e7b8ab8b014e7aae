// A formula as it is set, with the live number under each symbol and the result at the end. Symbols explain themselves
// when they are pointed at, and what they stand for lights up on screen.
#pragma once

#include "app/session/session.h"
#include "app/ui/layout_view/formulas.h"

namespace convscope::app {

/// The height that formula_line takes in the present width, in pixels, with the space after it.
float formula_height(const Formula&);
/// Draws in the present width, in as many lines as it takes. A symbol that is pointed at becomes session.lit.
void formula_line(Session&, const Formula&);

}  // namespace convscope::app
