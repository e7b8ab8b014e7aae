// Draws mathematics that is laid out, in a typeface of the app.
#pragma once

#include <functional>

#include <imgui.h>

#include "visualizers/explain/math_layout.h"

namespace convscope {

/// A typeface for letters, and a smaller one for scripts. Never null.
struct MathFonts {
    ImFont* text = nullptr;
    ImFont* script = nullptr;
    MathFace face(float scale) const;
};

/// From the top left corner; 'colour' is asked for each piece.
void draw_math(ImDrawList&, ImVec2 at, const MathPicture&, const MathFonts&, float scale,
               const std::function<ImU32(const MathPiece&)>& colour);

/// Slants what was drawn since 'from', a number of vertices, about a base line: there is no italic face.
void slant(ImDrawList&, int from, float base);

}  // namespace convscope
