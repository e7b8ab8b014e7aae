#include "visualizers/style/view_style.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace convscope {
namespace {

ImVec4 im(const Rgba& c) {
    return {c.r, c.g, c.b, c.a};
}

void set_colors(const Theme& t, ImGuiStyle& style) {
    auto set = [&style](std::initializer_list<int> ids, const Rgba& color) {
        for (int id : ids) style.Colors[id] = im(color);
    };
    const Rgba clear = t.panel.with_alpha(0);
    set({ImGuiCol_Text}, t.text);
    set({ImGuiCol_TextDisabled}, t.text_dim);
    set({ImGuiCol_WindowBg, ImGuiCol_MenuBarBg, ImGuiCol_TitleBg, ImGuiCol_TitleBgActive, ImGuiCol_TitleBgCollapsed},
        t.panel);
    set({ImGuiCol_ChildBg, ImGuiCol_BorderShadow, ImGuiCol_TableRowBg, ImGuiCol_ScrollbarBg}, clear);
    set({ImGuiCol_PopupBg}, t.dark ? t.raised : t.panel);
    set({ImGuiCol_Border, ImGuiCol_Separator, ImGuiCol_TableBorderLight, ImGuiCol_TableBorderStrong}, t.hairline);
    set({ImGuiCol_FrameBg, ImGuiCol_Button, ImGuiCol_Tab, ImGuiCol_TabUnfocused, ImGuiCol_TableHeaderBg}, t.raised);
    set({ImGuiCol_FrameBgHovered, ImGuiCol_FrameBgActive, ImGuiCol_ButtonHovered, ImGuiCol_TabHovered,
         ImGuiCol_HeaderHovered, ImGuiCol_TabActive, ImGuiCol_TabUnfocusedActive, ImGuiCol_Header,
         ImGuiCol_ScrollbarGrab},
        t.hovered);
    set({ImGuiCol_ButtonActive, ImGuiCol_HeaderActive, ImGuiCol_ScrollbarGrabHovered},
        mix(t.hovered, t.text_dim, 0.3f));
    set({ImGuiCol_CheckMark, ImGuiCol_SliderGrab, ImGuiCol_SliderGrabActive, ImGuiCol_SeparatorActive,
         ImGuiCol_SeparatorHovered, ImGuiCol_ResizeGripActive, ImGuiCol_NavHighlight, ImGuiCol_PlotLines,
         ImGuiCol_PlotHistogram, ImGuiCol_DragDropTarget, ImGuiCol_ScrollbarGrabActive},
        t.accent);
    set({ImGuiCol_ResizeGrip}, clear);
    set({ImGuiCol_ResizeGripHovered}, t.hairline);
    set({ImGuiCol_TableRowBgAlt}, t.text.with_alpha(0.03f));
    set({ImGuiCol_TextSelectedBg}, t.accent.with_alpha(0.35f));
    set({ImGuiCol_ModalWindowDimBg, ImGuiCol_NavWindowingDimBg}, Rgba{0, 0, 0, 0.45f});
}

}  // namespace

ImFont* ViewStyle::body() const {
    return text ? text : ImGui::GetFont();
}

ImFont* ViewStyle::caption() const {
    return small ? small : body();
}

ImFont* ViewStyle::source() const {
    return code ? code : mono ? mono : body();
}

void draw_shortened(ImFont* font, const ImVec2& at, float width, const std::string& text, const Rgba& color) {
    ImGui::PushFont(font);
    ImGui::PushStyleColor(ImGuiCol_Text, im(color));
    const float right = at.x + std::max(0.0f, width);
    ImGui::RenderTextEllipsis(ImGui::GetWindowDrawList(), at, {right, at.y + font->FontSize + 2}, right, right,
                              text.c_str(), nullptr, nullptr);
    ImGui::PopStyleColor();
    ImGui::PopFont();
}

void draw_dimmed(const ImVec2& from, const ImVec2& to, const Theme& theme, float share) {
    ImGui::GetWindowDrawList()->AddRectFilled(from, to, theme.panel.with_alpha(share).u32());
}

void apply_theme(const Theme& theme, float scale, ImGuiStyle& style) {
    style = ImGuiStyle();
    style.WindowPadding = {12, 12};
    style.FramePadding = {8, 4};
    style.ItemSpacing = {8, 8};
    style.ItemInnerSpacing = {8, 4};
    style.CellPadding = {8, 3};
    style.IndentSpacing = 16;
    style.ScrollbarSize = 12;
    style.GrabMinSize = 10;
    style.WindowRounding = 0;
    style.ChildRounding = 4;
    style.FrameRounding = 4;
    style.PopupRounding = 6;
    style.GrabRounding = 4;
    style.TabRounding = 4;
    style.ScrollbarRounding = 6;
    style.WindowBorderSize = 0;
    style.ChildBorderSize = 0;
    style.PopupBorderSize = 1;
    style.FrameBorderSize = 0;
    style.TabBorderSize = 0;
    style.WindowTitleAlign = {0, 0.5f};
    style.WindowMenuButtonPosition = ImGuiDir_None;
    style.DisabledAlpha = 0.5f;
    style.ScaleAllSizes(scale);
    style.PopupBorderSize = std::max(1.0f, std::round(scale));
    set_colors(theme, style);
}

}  // namespace convscope
