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

/// Where words of this size cover nothing beside 'box'.
ImVec2 place_of(const ImRect& box, ImVec2 size, float space) {
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const ImRect panel = ImGui::GetCurrentWindow()->RootWindow->Rect();
    ImVec2 at;
    if (panel.GetWidth() < display.x / 2 && panel.GetWidth() + size.x + space < display.x) {
        at = {panel.Max.x + space, box.Min.y};
        if (at.x + size.x > display.x) at.x = panel.Min.x - space - size.x;
    } else {
        const bool bar = panel.GetHeight() < display.y / 6;
        at = {box.Min.x, (bar ? panel.Max.y : box.Max.y) + space};
        if (at.y + size.y > display.y) at.y = (bar ? panel.Min.y : box.Min.y) - space - size.y;
    }
    return {std::clamp(at.x, 0.0f, std::max(0.0f, display.x - size.x)),
            std::clamp(at.y, 0.0f, std::max(0.0f, display.y - size.y))};
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
    ImGui::PushFont(font);
    const ImVec2 words = ImGui::CalcTextSize(text.c_str(), nullptr, false, text_width * scale);
    const ImVec2 padding = ImGui::GetStyle().WindowPadding;
    ImGui::SetNextWindowPos(place_of(box, {words.x + 2 * padding.x, words.y + 2 * padding.y}, gap * scale));
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(text_width * scale + padding.x);
    ImGui::TextUnformatted(text.c_str());
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
    ImGui::PopFont();
}

bool tooltip_pending() {
    const Rest& now = rest();
    return now.frame + 1 >= ImGui::GetFrameCount() && ImGui::GetTime() - now.since < tooltip_after_s;
}

}  // namespace convscope
