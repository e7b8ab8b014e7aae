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
    for (int decimals = std::clamp(width - (width >= 4 ? 2 : 1), 0, width >= 6 ? 3 : 2); decimals >= 0; --decimals) {
        const std::string text = without_padding(fmt::format("{:.{}f}", value, decimals));
        // A small number must not pass for zero.
        if (text == "0" || text == "-0") return width >= 2 ? "~0" : "";
        if (static_cast<int>(text.size()) <= width) return text;
    }
    return "";
}

CellText::CellText(const ViewStyle& style, float cell_w, float cell_h, bool whole_numbers)
    : font_(style.mono ? style.mono : ImGui::GetFont()), size_(font_->FontSize), cell_w_(cell_w), cell_h_(cell_h) {
    const float margin = 3 * style.scale;
    auto digit_width = [this] { return font_->CalcTextSizeA(size_, 1e9f, 0, "0").x; };
    const float digits = whole_numbers ? 2 : 4;
    if (cell_h < 1.1f * size_ || cell_w < digits * digit_width() + margin) {
        font_ = style.caption();
        size_ = font_->FontSize;
    }
    room_ = cell_w - margin;
    width_ = std::max(1, static_cast<int>(room_ / digit_width()));
}

void CellText::draw(ImDrawList* list, ImVec2 corner, double value, const Rgba& color) const {
    // A point or a sign is narrower than a digit: often one character more fits.
    std::string text = short_value(value, width_ + 1);
    ImVec2 extent = font_->CalcTextSizeA(size_, 1e9f, 0, text.c_str());
    if (text.empty() || extent.x > room_) {
        text = short_value(value, width_);
        extent = font_->CalcTextSizeA(size_, 1e9f, 0, text.c_str());
    }
    float size = size_;
    if (text.empty() || extent.x > room_) {
        // A whole part too long for the cell: shrunk a little, where that is enough. A small number is no zero.
        if (std::round(value) == 0) return;
        text = short_value(std::round(value), 9);
        extent = font_->CalcTextSizeA(size_, 1e9f, 0, text.c_str());
        const float shrunk = room_ / extent.x;
        if (text.empty() || shrunk < 0.7f) return;
        size *= shrunk;
        extent = {extent.x * shrunk, extent.y * shrunk};
    }
    const ImVec2 at{std::round(corner.x + (cell_w_ - extent.x) / 2 + 0.5f),
                    std::round(corner.y + (cell_h_ - extent.y) / 2 + 0.5f)};
    list->AddText(font_, size, at, color.u32(), text.c_str());
}

}  // namespace convscope
