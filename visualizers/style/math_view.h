// Draws mathematics that is laid out, in a typeface of the app.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include <imgui.h>

#include "visualizers/explain/math_layout.h"
#include "visualizers/style/view_style.h"

namespace convscope {

/// A typeface for letters, and a smaller one for scripts. Never null.
struct MathFonts {
    ImFont* text = nullptr;
    ImFont* script = nullptr;
    MathFace face(float scale) const;
};

/// As lay_out and set_text make it. It is made again only when something of it changes, for what is drawn is measured
/// before, several times a frame.
std::shared_ptr<const MathBox> formula_box(const Math&, float width, const MathFonts&, float scale,
                                           bool small_fractions = false);
std::shared_ptr<const MathBox> text_box(const std::string&, float width, const MathFonts&, float scale);

/// From the top left corner; 'colour' is asked for each piece.
void draw_math(ImDrawList&, ImVec2 at, const MathBox&, const MathFonts&, float scale,
               const std::function<ImU32(const MathPiece&)>& colour);

/// Words in a typeface of the style, with mathematics between dollars, in lines of at most 'width'.
ImVec2 words_size(ImFont*, const std::string&, float width, const ViewStyle&);
void draw_words(ImFont*, ImVec2 at, float width, const std::string&, const Rgba&, const ViewStyle&);
/// On one line, cut with an ellipsis where it is wider.
void draw_shortened_words(ImFont*, ImVec2 at, float width, const std::string&, const Rgba&, const ViewStyle&);

/// Slants what was drawn since 'from', a number of vertices, about a base line: there is no italic face.
void slant(ImDrawList&, int from, float base);

}  // namespace convscope
