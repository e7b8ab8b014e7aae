#include "visualizers/cell_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace convscope {

std::string short_value(double value, int width) {
    if (std::isnan(value)) return width >= 3 ? "NaN" : "";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    if (value == 0) return "0";
    if (value == std::round(value) && std::abs(value) < 1e9) {
        std::string text = fmt::format("{:.0f}", value);
        return static_cast<int>(text.size()) <= width ? text : "";
    }
    for (int decimals = std::min(3, width - 2); decimals >= 0; --decimals) {
        std::string text = fmt::format("{:.{}f}", value, decimals);
        // '.37' and '-.37' say as much as '0.37' in less room.
        if (text.rfind("0.", 0) == 0) text.erase(0, 1);
        if (text.rfind("-0.", 0) == 0) text.erase(1, 1);
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
    list->AddText(font_, size_, at, color.u32(), text.c_str());
}

}  // namespace convscope
