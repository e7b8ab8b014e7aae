#include "visualizers/figure_labels.h"

#include <algorithm>
#include <cmath>

namespace convscope {
namespace {

constexpr float note_px = 13, label_px = 12;  // at scale 1

/// Small labels are in the text font too: its zero has no bar or dot that a small size would blur.
ImFont* text_font(const ViewStyle& style) {
    return style.text ? style.text : ImGui::GetFont();
}

float title_px(const ViewStyle& style) {
    return style.px(15);
}

ImVec2 measure(ImFont* font, float size, const std::string& text) {
    return font->CalcTextSizeA(size, 1e9f, 0, text.c_str());
}

/// Text on a spot of the panel's colour, so that it stays legible on a line.
void draw_on_line(ImVec2 middle, const std::string& label, const Rgba& color, const ViewStyle& style) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float size = style.px(label_px);
    const ImVec2 text = measure(text_font(style), size, label);
    const float pad = style.px(3);
    const ImVec2 a{middle.x - text.x / 2 - pad, middle.y - text.y / 2 - style.px(1)};
    const ImVec2 b{middle.x + text.x / 2 + pad, middle.y + text.y / 2 + style.px(1)};
    list->AddRectFilled(a, b, color.u32(), style.px(3));
    list->AddText(text_font(style), size, {std::round(a.x + pad), std::round(a.y + style.px(1))},
                  readable_on(color).u32(), label.c_str());
}

}  // namespace

float title_height(const ViewStyle& style) {
    return title_px(style) + style.px(note_px) + style.px(11);
}

float title_width(const std::string& title, const std::string& note, const ViewStyle& style) {
    return std::max(measure(text_font(style), title_px(style), title).x,
                    measure(text_font(style), style.px(note_px), note).x);
}

void draw_title(ImVec2 at, const std::string& title, const std::string& note, const ViewStyle& style) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 first{std::round(at.x), std::round(at.y)};
    list->AddText(text_font(style), title_px(style), first, style.theme->text.u32(), title.c_str());
    const ImVec2 second{first.x, std::round(first.y + title_px(style) + style.px(3))};
    list->AddText(text_font(style), style.px(note_px), second, style.theme->text_dim.u32(), note.c_str());
}

void draw_row_label(ImVec2 right_middle, const std::string& label, const Rgba& color, const ViewStyle& style) {
    const ImVec2 size = measure(text_font(style), style.px(label_px), label);
    draw_on_line({right_middle.x - size.x / 2 - style.px(3), right_middle.y}, label, color, style);
}

void draw_index(ImVec2 at, std::int64_t index, bool row, const ViewStyle& style) {
    const std::string text = std::to_string(index);
    const float size = style.px(11);
    const ImVec2 extent = measure(text_font(style), size, text);
    const ImVec2 place =
        row ? ImVec2{at.x - extent.x, at.y - extent.y / 2} : ImVec2{at.x - extent.x / 2, at.y - extent.y};
    ImGui::GetWindowDrawList()->AddText(text_font(style), size, {std::round(place.x), std::round(place.y)},
                                        style.theme->text_dim.u32(), text.c_str());
}

void draw_bracket_left(ImVec2 top, float bottom, const std::string& label, const Rgba& color, const ViewStyle& style) {
    if (bottom <= top.y) return;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float inset = style.px(1.5f), foot = style.px(4), width = style.px(2);
    const ImVec2 points[] = {
        {top.x + foot, top.y + inset}, {top.x, top.y + inset}, {top.x, bottom - inset}, {top.x + foot, bottom - inset}};
    // Behind a short bracket's label nothing would be seen of it.
    if (bottom - top.y > style.px(22)) list->AddPolyline(points, 4, color.u32(), 0, width);
    if (!label.empty()) draw_on_line({top.x, (top.y + bottom) / 2}, label, color, style);
}

void draw_bracket_above(ImVec2 left, float right, const std::string& label, const Rgba& color, const ViewStyle& style) {
    if (right <= left.x) return;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float inset = style.px(1.5f), foot = style.px(4), width = style.px(2);
    const float y = left.y - style.px(4);
    const ImVec2 points[] = {
        {left.x + inset, y + foot}, {left.x + inset, y}, {right - inset, y}, {right - inset, y + foot}};
    list->AddPolyline(points, 4, color.u32(), 0, width);
    if (!label.empty()) draw_on_line({(left.x + right) / 2, y}, label, color, style);
}

double nice_step(double least) {
    if (least <= 1) return 1;
    const double power = std::pow(10.0, std::floor(std::log10(least)));
    for (const double step : {1.0, 2.0, 5.0})
        if (step * power >= least * (1 - 1e-9)) return step * power;
    return 10 * power;
}

}  // namespace convscope
