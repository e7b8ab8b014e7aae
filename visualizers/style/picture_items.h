// The items in the right-click menu of any figure, a plot's too.
#pragma once

#include <string>

namespace convscope {

enum class PictureRequest { none, copy, svg, png_2x, png_4x };

/// Into the menu that is open. Each is told of as a control: "MENU/Save as SVG". Returns what was chosen.
PictureRequest picture_items(const std::string& menu);

}  // namespace convscope
