#include "visualizers/grid/cell_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace convscope {
namespace {

constexpr float min_shrinking = 0.7f;  // of the caption font: smaller digits cannot be told apart
constexpr float small_cell_px = 16;    // at scale 1: below this every pixel is needed for the digits
constexpr int any_width = 24;

/// ".37" and "-.5" say as much as "0.370" and "-0.500" in less room; "1.0" is not 1 but near it.
std::string without_padding(std::string text, double value) {
    if (text.find('.') == std::string::npos) return text;
    const bool exact = static_cast<float>(std::stod(text)) == static_cast<float>(value);
    const std::size_t least = text.find('.') + (exact ? 1 : 2);
    while (text.size() > least && text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
    const std::size_t digits = text[0] == '-' ? 1 : 0;
    if (text.compare(digits, 2, "0.") == 0) text.erase(digits, 1);
    return text;
}

/// The shortest that says what the value is.
std::string shortest_value(double value) {
    for (int width = 1; width < any_width; ++width)
        if (std::string text = short_value(value, width); !text.empty()) return text;
    return {};
}

float margin_in(float cell_w, const ViewStyle& style) {
    return style.px(cell_w < style.px(small_cell_px) ? 2 : 3);
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
    // Below 10 a value keeps a decimal: -0.6 is no -1.
    const int fewest = std::abs(value) < 10 ? 1 : 0;
    for (int decimals = std::clamp(width - (width >= 4 ? 2 : 1), fewest, width >= 6 ? 3 : 2); decimals >= fewest;
         --decimals) {
        const std::string padded = fmt::format("{:.{}f}", value, decimals);
        // A small number must not pass for zero.
        if (std::stod(padded) == 0) return width >= 2 ? "~0" : "";
        const std::string text = without_padding(padded, value);
        if (static_cast<int>(text.size()) <= width) return text;
    }
    return "";
}

float narrowest_cell(double value, const ViewStyle& style) {
    const std::string text = shortest_value(value);
    const float size = min_shrinking * style.caption()->FontSize;
    const float digits = style.caption()->CalcTextSizeA(size, 1e9f, 0, text.c_str()).x;
    return digits + margin_in(digits + margin_in(0, style), style);
}

CellText::CellText(const ViewStyle& style, float cell_w, float cell_h, bool whole_numbers)
    : font_(style.mono ? style.mono : ImGui::GetFont()), size_(font_->FontSize), cell_w_(cell_w), cell_h_(cell_h) {
    const float margin = margin_in(cell_w, style);
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
    auto extent_of = [this](const std::string& text) { return font_->CalcTextSizeA(size_, 1e9f, 0, text.c_str()); };
    // A point or a sign is narrower than a digit: often one character more fits.
    std::string text = short_value(value, width_ + 1);
    ImVec2 extent = extent_of(text);
    if (text.empty() || extent.x > room_) {
        text = short_value(value, width_);
        extent = extent_of(text);
    }
    float size = size_;
    if (text.empty() || extent.x > room_) {
        // Shrunk a little, where that is enough; never rounded to what it is not.
        text = shortest_value(value);
        extent = extent_of(text);
        const float shrunk = room_ / extent.x;
        if (text.empty() || shrunk < min_shrinking) return;
        size *= shrunk;
        extent = {extent.x * shrunk, extent.y * shrunk};
    }
    const ImVec2 at{std::round(corner.x + (cell_w_ - extent.x) / 2 + 0.5f),
                    std::round(corner.y + (cell_h_ - extent.y) / 2 + 0.5f)};
    list->AddText(font_, size, at, color.u32(), text.c_str());
}

}  // namespace convscope
