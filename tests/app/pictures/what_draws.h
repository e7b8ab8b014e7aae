// The fonts and libraries that text and lines in an image depend on, apart from the program itself.
#pragma once

#include <string>

#include "visualizers/gl/egl_context.h"

namespace convscope::app {

/// One line each: the fonts' files by size, FreeType, Dear ImGui and the OpenGL driver of a context that is current.
std::string what_draws(const gl::EglContext&);

}  // namespace convscope::app
