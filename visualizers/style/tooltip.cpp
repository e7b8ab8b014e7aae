#include "visualizers/style/tooltip.h"

#include <imgui_internal.h>

#include <algorithm>

namespace convscope {
namespace {

constexpr float text_width = 320, gap = 6;  ///< at scale 1

/// What the pointer rests on, and since when.
struct Rest {
    ImRect box;
    double since = 0;
    int frame = -2;
};

Rest& rest() {
    static Rest present;
    return present;
}

ImVec2 on_screen(ImVec2 at, ImVec2 size) {
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    return {std::clamp(at.x, 0.0f, std::max(0.0f, display.x - size.x)),
            std::clamp(at.y, 0.0f, std::max(0.0f, display.y - size.y))};
}

ImVec2 below_or_above(const ImRect& box, ImVec2 size, float space) {
    const float below = box.Max.y + space;
    const bool fits = below + size.y <= ImGui::GetIO().DisplaySize.y;
    return on_screen({box.Min.x, fits ? below : box.Min.y - space - size.y}, size);
}

/// Where words of this size cover nothing beside 'box'.
ImVec2 place_of(const ImRect& box, ImVec2 size, float space) {
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const ImRect panel = ImGui::GetCurrentWindow()->RootWindow->Rect();
    const ImGuiTable* const table = ImGui::GetCurrentContext()->CurrentTable;
    for (const ImRect& holder : {panel, table ? table->OuterRect : panel}) {
        if (holder.GetWidth() >= display.x / 2) continue;
        const float right = holder.Max.x + space, left = holder.Min.x - space - size.x;
        if (right + size.x <= display.x) return on_screen({right, box.Min.y}, size);
        if (left >= 0) return on_screen({left, box.Min.y}, size);
    }
    if (panel.GetHeight() < display.y / 6) return below_or_above({{box.Min.x, panel.Min.y}, panel.Max}, size, space);
    // In a table as wide as the screen, the next row's numbers stay in sight.
    ImRect rows = box;
    if (table) rows.Expand({0, box.GetHeight()});
    return below_or_above(rows, size, space);
}

ImVec2 size_of(const std::string& text, ImFont* font, float scale) {
    const ImVec2 words = font->CalcTextSizeA(font->FontSize, 1e9f, text_width * scale, text.c_str());
    const ImVec2 padding = ImGui::GetStyle().WindowPadding;
    return {words.x + 2 * padding.x, words.y + 2 * padding.y};
}

void show(ImVec2 at, const std::string& text, ImFont* font, float scale) {
    ImGui::PushFont(font);
    ImGui::SetNextWindowPos(at);
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(text_width * scale + ImGui::GetStyle().WindowPadding.x);
    ImGui::TextUnformatted(text.c_str());
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
    ImGui::PopFont();
}

}  // namespace

void tooltip(ImVec2 min, ImVec2 max, const std::string& text, ImFont* font, float scale) {
    Rest& now = rest();
    const int frame = ImGui::GetFrameCount();
    const ImRect box(min, max);
    const bool same = now.box.Min.x == min.x && now.box.Min.y == min.y && now.frame + 1 >= frame;
    if (!same && now.frame == frame) return;  // the first of two that overlap
    if (!same) now.since = ImGui::GetTime();
    now.box = box;
    now.frame = frame;
    if (ImGui::GetTime() - now.since < tooltip_after_s) return;
    tooltip_now(min, max, text, font, scale);
}

void tooltip_now(ImVec2 min, ImVec2 max, const std::string& text, ImFont* font, float scale) {
    show(place_of({min, max}, size_of(text, font, scale), gap * scale), text, font, scale);
}

void read_out(ImVec2 min, ImVec2 max, const std::string& text, ImFont* font, float scale) {
    show(below_or_above({min, max}, size_of(text, font, scale), gap * scale), text, font, scale);
}

ImVec2 place_of_tooltip(ImVec2 min, ImVec2 max, ImVec2 size, float scale) {
    return place_of({min, max}, size, gap * scale);
}

bool tooltip_pending() {
    const Rest& now = rest();
    return now.frame + 1 >= ImGui::GetFrameCount() && ImGui::GetTime() - now.since < tooltip_after_s;
}

}  // namespace convscope
