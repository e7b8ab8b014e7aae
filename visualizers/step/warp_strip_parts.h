// Shared by the two strips under a traced block: a gutter for text, then 32 columns.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>

#include <imgui.h>

#include "visualizers/style/view_style.h"

namespace convscope {

struct WarpColumns {
    WarpColumns(ImVec2 at, float width, const ViewStyle& style)
        : left(at.x + gutter(style)), column((width - gutter(style)) / 32) {}
    float x(unsigned lane) const { return std::round(left + column * static_cast<float>(lane)); }
    static float gutter(const ViewStyle& style) { return style.px(84); }

    float left, column;
};

/// A thread's colour wherever threads are distinguished: the chosen one has the accent's.
inline Rgba thread_colour(const Theme& theme, std::int64_t thread, std::int64_t chosen) {
    return thread == chosen ? theme.accent : theme.category(thread);
}

inline void print(ImFont* font, ImVec2 at, const Rgba& colour, const std::string& text) {
    ImGui::GetWindowDrawList()->AddText(font, font->FontSize, {std::round(at.x), std::round(at.y)}, colour.u32(),
                                        text.c_str());
}

inline ImVec2 extent_of(ImFont* font, const std::string& text) {
    return font->CalcTextSizeA(font->FontSize, 1e9F, 0, text.c_str());
}

/// Centred in a box; nothing where it does not fit.
inline bool print_centred(ImFont* font, ImVec2 from, ImVec2 to, const Rgba& colour, const std::string& text) {
    const ImVec2 extent = extent_of(font, text);
    if (extent.x + 4 > to.x - from.x) return false;
    print(font, {(from.x + to.x - extent.x) / 2, (from.y + to.y - extent.y) / 2}, colour, text);
    return true;
}

}  // namespace convscope
