// Words with mathematics among them, between dollars: "L: $o_w \cdot i_h = 105$ (Eq. 3)". No ImGui.
#pragma once

#include <string>
#include <string_view>

#include "visualizers/explain/math_layout.h"

namespace convscope {

/// In lines of at most 'width', where a line of words is as high as the typeface. What stands between dollars and is no
/// mathematics of ours stands as it is.
MathBox set_text(std::string_view, float width, const MathFace&);
/// The same as it would be typed: "L: o_w \u00b7 i_h = 105 (Eq. 3)".
std::string plain_words(std::string_view);

}  // namespace convscope
