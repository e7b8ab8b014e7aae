#include "app/ui/overlays/overlay.h"

#include <imgui.h>

#include <algorithm>

#include "app/ui/widgets/text_capture.h"
#include "app/ui/widgets/widgets.h"

namespace convscope::app {

bool begin_overlay(const char* name, float width, std::optional<float> top) {
    constexpr ImGuiWindowFlags flags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                                       ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_AlwaysAutoResize |
                                       ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings;
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const float wide = std::max(1.0F, std::min(px(width), display.x - px(32)));
    const float above = top.value_or(px(16)), tall = std::max(px(64), display.y - above - px(16));
    if (top)
        ImGui::SetNextWindowPos({display.x / 2, *top}, ImGuiCond_Always, {0.5F, 0});
    else
        ImGui::SetNextWindowPos({display.x / 2, display.y / 2}, ImGuiCond_Always, {0.5F, 0.5F});
    ImGui::SetNextWindowSizeConstraints({wide, 0}, {wide, tall});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, look().theme->panel.u32());
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {px(24), px(16)});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, px(8));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    const bool open = ImGui::Begin(name, nullptr, flags);
    ImGui::PopStyleVar(3);
    ImGui::PopStyleColor();
    return open;
}

bool close_button(const char* item, const char* meaning) {
    const float width = ImGui::CalcTextSize("Close").x + 2 * ImGui::GetStyle().FramePadding.x;
    ImGui::SetCursorPosX(std::max(ImGui::GetCursorPosX(), ImGui::GetContentRegionMax().x - width));
    const bool pressed = button(item, "Close");
    tip(meaning);
    return pressed;
}

void overlay_title(const char* text) {
    WithFont font(look().fonts->strong);
    announce("title", text);
    ImGui::TextUnformatted(text);
}

}  // namespace convscope::app
