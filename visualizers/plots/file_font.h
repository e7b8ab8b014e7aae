// The faces of plots in files: those of the app, whatever the machine has.
#pragma once

#include <cairo.h>

namespace convscope {

enum class FileFont { text, strong, monospace };  ///< Inter, Inter semi-bold, JetBrains Mono

/// Lives until the program ends. Throws Error(file) where it does not come with this installation.
cairo_font_face_t* file_font(FileFont);

}  // namespace convscope
