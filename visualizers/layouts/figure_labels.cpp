#include "visualizers/layouts/figure_labels.h"

#include <algorithm>
#include <cmath>

#include "visualizers/style/math_view.h"

namespace convscope {
namespace {

ImVec2 measure(ImFont* font, const std::string& text) {
    return font->CalcTextSizeA(font->FontSize, 1e9f, 0, text.c_str());
}

void print(ImFont* font, ImVec2 at, const Rgba& color, const std::string& text) {
    ImGui::GetWindowDrawList()->AddText(font, font->FontSize, {std::round(at.x), std::round(at.y)}, color.u32(),
                                        text.c_str());
}

constexpr float chip_pad_px = 3;

/// Text on a spot of the panel's colour, so that it stays legible on a line.
void draw_on_line(ImVec2 middle, const std::string& label, const Rgba& color, const ViewStyle& style) {
    const ImVec2 text = measure(style.caption(), label);
    const float pad = style.px(chip_pad_px);
    const ImVec2 a{std::round(middle.x - text.x / 2) - pad, std::round(middle.y - text.y / 2)};
    ImGui::GetWindowDrawList()->AddRectFilled(a, {a.x + text.x + 2 * pad, a.y + text.y}, color.u32(), style.px(3));
    print(style.caption(), {a.x + pad, a.y}, readable_on(color), label);
}

}  // namespace

float title_height(bool with_note, const ViewStyle& style) {
    return style.body()->FontSize + (with_note ? style.caption()->FontSize : 0) + style.px(6);
}

float title_width(const std::string& title, const std::string& note, const ViewStyle& style) {
    return std::max(measure(style.body(), title).x, words_size(style.caption(), note, 1e9f, style).x);
}

void draw_title(ImVec2 at, const std::string& title, const std::string& note, const ViewStyle& style) {
    print(style.body(), at, style.theme->text, title);
    draw_words(style.caption(), {at.x, at.y + style.body()->FontSize + style.px(1)}, 1e9f, note, style.theme->text_dim,
               style);
}

ImVec2 label_size(const std::string& label, const ViewStyle& style) {
    const ImVec2 text = measure(style.caption(), label);
    return {text.x + 2 * style.px(chip_pad_px), text.y};
}

void draw_row_label(ImVec2 right_middle, const std::string& label, const Rgba& color, const ViewStyle& style) {
    draw_on_line({right_middle.x - label_size(label, style).x / 2, right_middle.y}, label, color, style);
}

void draw_index(ImVec2 at, std::int64_t index, bool row, const ViewStyle& style) {
    const std::string text = std::to_string(index);
    const ImVec2 extent = measure(style.caption(), text);
    print(style.caption(),
          row ? ImVec2{at.x - extent.x, at.y - extent.y / 2} : ImVec2{at.x - extent.x / 2, at.y - extent.y},
          style.theme->text_dim, text);
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
