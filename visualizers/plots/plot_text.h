// Shared by the plots' files: text that is safe in SVG.
#pragma once

#include <string>

#include "visualizers/theme/color.h"

namespace convscope {

std::string hex(const Rgba&);             ///< "#56b4e9"
std::string escaped(const std::string&);  ///< for XML text and attributes

}  // namespace convscope
