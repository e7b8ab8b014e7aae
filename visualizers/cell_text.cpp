#include "visualizers/cell_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace convscope {
namespace {

/// ".37" and "-.5" say as much as "0.370" and "-0.500" in less room.
std::string without_padding(std::string text) {
    if (text.find('.') == std::string::npos) return text;
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
    const std::size_t digits = text[0] == '-' ? 1 : 0;
    if (text.compare(digits, 2, "0.") == 0) text.erase(digits, 1);
    return text;
}

}  // namespace

std::string short_value(double value, int width) {
    if (std::isnan(value)) return width >= 3 ? "NaN" : "";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    if (value == 0) return "0";
    if (value == std::round(value) && std::abs(value) < 1e9) {
        std::string text = fmt::format("{:.0f}", value);
        return static_cast<int>(text.size()) <= width ? text : "";
    }
    // Room for a sign is kept where there is some, so that the cells of one array show equally many decimals.
    for (int decimals = std::clamp(width - (width >= 4 ? 2 : 1), 0, 3); decimals >= 0; --decimals) {
        const std::string text = without_padding(fmt::format("{:.{}f}", value, decimals));
        // A small number must not pass for zero.
        if (text == "0" || text == "-0") return width >= 2 ? "~0" : "";
        if (static_cast<int>(text.size()) <= width) return text;
    }
    return "";
}

CellText::CellText(const ViewStyle& style, float cell_w, float cell_h)
    : font_(style.mono ? style.mono : ImGui::GetFont()), cell_w_(cell_w), cell_h_(cell_h) {
    size_ = std::clamp(std::min(cell_h * 0.5f, cell_w * 0.46f), 9.0f * style.scale, 17.0f * style.scale);
    digit_w_ = font_->CalcTextSizeA(size_, 1e9f, 0, "0").x;
    width_ = std::max(1, static_cast<int>((cell_w - 3 * style.scale) / digit_w_));
}

void CellText::draw(ImDrawList* list, ImVec2 corner, double value, const Rgba& color) const {
    const std::string text = short_value(value, width_);
    if (text.empty()) return;
    const float text_w = digit_w_ * static_cast<float>(text.size());
    const ImVec2 at{std::round(corner.x + (cell_w_ - text_w) / 2 + 0.5f), std::round(corner.y + (cell_h_ - size_) / 2)};
    const bool negative = text[0] == '-';
    // A scaled minus is less than a pixel high and can fall between two rows of pixels: it is drawn as a bar.
    if (negative) {
        const float y = std::round(at.y + 0.55f * size_), high = std::max(1.0f, std::round(size_ / 14));
        list->AddRectFilled({at.x + 0.15f * digit_w_, y}, {at.x + 0.85f * digit_w_, y + high}, color.u32());
    }
    const float digits_x = at.x + (negative ? digit_w_ : 0);
    list->AddText(font_, size_, {digits_x, at.y}, color.u32(), text.c_str() + (negative ? 1 : 0));
}

}  // namespace convscope
