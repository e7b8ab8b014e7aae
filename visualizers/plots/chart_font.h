// The faces of charts: those of the app, whatever the machine has.
#pragma once

#include <cairo.h>

namespace convscope {

/// Inter, semi-bold where 'strong'; lives until the program ends. Throws Error(file) where it does not come with this
/// installation.
cairo_font_face_t* chart_font(bool strong);

}  // namespace convscope
