// Applies a theme to ImGui, and defines the style that views are drawn with.
#pragma once

#include <string>

#include "visualizers/explain/notation.h"
#include "visualizers/theme/theme.h"

struct ImFont;
struct ImGuiStyle;
struct ImVec2;

namespace convscope {

/// Colours, spacing and rounding for ImGui, from a theme, at a UI scale. Starts from ImGui's own defaults.
void apply_theme(const Theme&, float scale, ImGuiStyle&);

/// On one line, cut with an ellipsis where it is wider; moves no cursor.
void draw_shortened(ImFont*, const ImVec2& at, float width, const std::string& text, const Rgba&);

/// How far towards the panel what is dimmed is drawn: a result that is out of date, and an example, which is to be
/// read.
inline constexpr float outdated_dimming = 0.65F, example_dimming = 0.3F;
/// Over what this window drew between two corners.
void draw_dimmed(const ImVec2& from, const ImVec2& to, const Theme&, float share = outdated_dimming);

/// The style that every view draws with: handed down by the app each frame.
struct ViewStyle {
    const Theme* theme = nullptr;
    ImFont* text = nullptr;  ///< proportional, the size of running text (15 px at scale 1)
    ImFont* mono = nullptr;  ///< tabular figures
    float scale = 1;
    ImFont* small = nullptr;  ///< proportional, for notes, labels and axes (13 px at scale 1)
    ImFont* code = nullptr;   ///< tabular, for source text (12 px at scale 1)
    ImFont* large = nullptr;  ///< tabular, numbers alone, for large cells (21 px at scale 1); null: there is none
    Notation notation = Notation::paper;  ///< of the sizes under arrays
    ImFont* script = nullptr;             ///< proportional, for subscripts in 'small' (11 px at scale 1)
    bool presented = false;  ///< in front of an audience: one sentence under the arrays, digits in smaller cells, as
                             ///< the type is larger
    bool spotlight = false;  ///< what is not linked with what is pointed at or pinned steps back

    // Always drawn at their own size: glyphs that are scaled have uneven gaps.
    ImFont* body() const;     ///< 'text', or whatever there is instead
    ImFont* caption() const;  ///< 'small', or whatever there is instead
    ImFont* source() const;   ///< 'code', or whatever there is instead

    float px(float at_scale_1) const { return at_scale_1 * scale; }
};

}  // namespace convscope
