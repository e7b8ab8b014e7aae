#include "visualizers/grid/cell_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>

namespace convscope {
namespace {

constexpr float margin_px = 3;          // at scale 1, on either side of a number
constexpr float shown_margin_px = 1.5;  // in front of an audience, whose cells are small for their type
constexpr float smaller = 0.6f;         // of the smallest font, in front of an audience ...
constexpr float min_px = 10;            // ... but no smaller
constexpr float line_in_cell = 0.62f;   // a font's line takes at most so much of a cell's height, but for the smallest

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

/// "<.01" or ">-.01": a value that rounds to nothing at so many decimals, of which there is at least one.
std::string near_zero(double value, int decimals) {
    return fmt::format("{}.{}1", value < 0 ? ">-" : "<", std::string(static_cast<std::size_t>(decimals - 1), '0'));
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
        const std::string text = std::stod(padded) == 0 ? near_zero(value, decimals) : without_padding(padded, value);
        if (static_cast<int>(text.size()) <= width) return text;
    }
    return "";
}

CellDigits first_of(CellDigitsSet set) {
    return cell_digits[std::countr_zero(set)];
}

CellText::CellText(const ViewStyle& style, float cell_w, float cell_h, const ValueRange& range, bool whole_numbers,
                   std::optional<CellDigits> digits)
    : cell_w_(cell_w), cell_h_(cell_h) {
    if (whole_numbers) {
        take(style, range, {0, true});
        return;
    }
    if (digits && take(style, range, *digits)) return;
    for (const CellDigits& each : cell_digits)
        if (take(style, range, each)) return;
}

CellDigitsSet CellText::fitting(const ViewStyle& style, float cell_w, float cell_h, const ValueRange& range) {
    CellText text(style, cell_w, cell_h, range, true);
    CellDigitsSet set = 0;
    for (std::size_t i = 0; i < std::size(cell_digits); ++i)
        if (text.take(style, range, cell_digits[i])) set |= 1U << i;
    return set;
}

/// The largest font in which the ends of the range fit.
bool CellText::take(const ViewStyle& style, const ValueRange& range, CellDigits digits) {
    digits_ = digits;
    const float room = cell_w_ - 2 * style.px(style.presented ? shown_margin_px : margin_px);
    const auto fits = [&](ImFont* font, float size) {
        for (const float value : {range.low, range.high})
            if (font->CalcTextSizeA(size, 1e9f, 0, text_of(value).c_str()).x > room) return false;
        font_ = font;
        size_ = size;
        return true;
    };
    ImFont* const smallest = style.presented && style.script ? style.script : style.caption();
    for (ImFont* font : {style.large, style.mono, style.caption(), smallest})
        if (font && (font == smallest || font->FontSize <= line_in_cell * cell_h_) && fits(font, font->FontSize))
            return true;
    // In front of an audience the type around the cells is large: theirs may be smaller, and still be read.
    const float small = smallest->FontSize * smaller;
    return style.presented && small >= min_px && fits(smallest, small);
}

std::string CellText::text_of(double value) const {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    if (value == 0) return "0";  // zeros are told apart from what is small
    std::string text = fmt::format("{:.{}f}", value, digits_.decimals);
    if (digits_.decimals > 0 && std::stod(text) == 0) return near_zero(value, digits_.decimals);
    const std::size_t first = text[0] == '-' ? 1 : 0;
    if (!digits_.leading_zero && text.compare(first, 2, "0.") == 0) text.erase(first, 1);
    return text;
}

void CellText::draw(ImDrawList* list, ImVec2 corner, double value, const Rgba& color) const {
    const std::string text = text_of(value);
    float size = size_;
    ImVec2 extent = font_->CalcTextSizeA(size, 1e9f, 0, text.c_str());
    // A value near zero may be longer than the ends of the range, in which all fit.
    if (extent.x > cell_w_ - 2) {
        size *= (cell_w_ - 2) / extent.x;
        extent = font_->CalcTextSizeA(size, 1e9f, 0, text.c_str());
    }
    const ImVec2 at{std::round(corner.x + (cell_w_ - extent.x) / 2 + 0.5f),
                    std::round(corner.y + (cell_h_ - extent.y) / 2 + 0.5f)};
    list->AddText(font_, size, at, color.u32(), text.c_str());
}

}  // namespace convscope
