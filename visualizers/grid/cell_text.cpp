#include "visualizers/grid/cell_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace convscope {
namespace {

constexpr float margin_px = 3;         // of a cell's width, at scale 1
constexpr float smaller = 0.6f;        // of the smallest font, in front of an audience ...
constexpr float least_px = 10;         // ... but no smaller
constexpr float line_in_cell = 0.62f;  // a font's line takes at most so much of a cell's height, but for the smallest

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

CellText::CellText(const ViewStyle& style, float cell_w, float cell_h, const ValueRange& range, bool whole_numbers)
    : cell_w_(cell_w), cell_h_(cell_h) {
    const float room = cell_w - style.px(margin_px);
    ImFont* const smallest = style.presented && style.script ? style.script : style.caption();
    struct Face {
        ImFont* font;
        float size;
    };
    std::vector<Face> faces;
    for (ImFont* font : {style.large, style.mono, style.caption(), smallest})
        if (font && (font == smallest || font->FontSize <= line_in_cell * cell_h))
            faces.push_back({font, font->FontSize});
    // In front of an audience the type around the cells is large: theirs may be smaller, and still be read.
    if (style.presented && smallest->FontSize * smaller >= least_px)
        faces.push_back({smallest, smallest->FontSize * smaller});
    const int most = whole_numbers ? 0 : 2, fewest = whole_numbers ? 0 : 1;
    for (decimals_ = most; decimals_ >= fewest; --decimals_)
        for (const Face& face : faces)
            for (const bool leading : {true, false}) {
                leading_zero_ = leading;
                if (take(face.font, face.size, range, room)) return;
            }
}

bool CellText::take(ImFont* font, float size, const ValueRange& range, float room) {
    for (const float value : {range.low, range.high})
        if (font->CalcTextSizeA(size, 1e9f, 0, text_of(value).c_str()).x > room) return false;
    font_ = font;
    size_ = size;
    return true;
}

std::string CellText::text_of(double value) const {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    if (value == 0) return "0";  // zeros are told apart from what is small
    std::string text = fmt::format("{:.{}f}", value, decimals_);
    if (std::stod(text) == 0) return "~0";
    const std::size_t digits = text[0] == '-' ? 1 : 0;
    if (!leading_zero_ && text.compare(digits, 2, "0.") == 0) text.erase(digits, 1);
    return text;
}

void CellText::draw(ImDrawList* list, ImVec2 corner, double value, const Rgba& color) const {
    const std::string text = text_of(value);
    const ImVec2 extent = font_->CalcTextSizeA(size_, 1e9f, 0, text.c_str());
    const ImVec2 at{std::round(corner.x + (cell_w_ - extent.x) / 2 + 0.5f),
                    std::round(corner.y + (cell_h_ - extent.y) / 2 + 0.5f)};
    list->AddText(font_, size_, at, color.u32(), text.c_str());
}

}  // namespace convscope
