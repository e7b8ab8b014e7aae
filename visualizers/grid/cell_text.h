// Numbers inside cells: as many digits as fit, in tabular figures.
#pragma once

#include <optional>
#include <string>

#include <imgui.h>

#include "kernels/core/value_range.h"
#include "visualizers/style/view_style.h"

namespace convscope {

/// A value in at most 'width' characters: an integer as it is, else as many decimals as fit, at least one below 10;
/// "<.01" or ">-.01" for what rounds to nothing; empty when that does not fit. Never in scientific notation.
std::string short_value(double value, int width);

/// How numbers with a fraction are printed; whole ones have neither.
struct CellDigits {
    int decimals = 2;
    bool leading_zero = true;
};
/// A set of digit formats that fit, a bit each.
using CellDigitsSet = unsigned;
constexpr CellDigits cell_digits[] = {{2, true}, {2, false}, {1, true}, {1, false}};
/// The first of a set that is not empty.
CellDigits first_of(CellDigitsSet);

/// Prints values centred in cells of one size, all of an array with equally many decimals: in the largest font in which
/// every value fits. Never rounded to what they are not.
class CellText {
public:
    /// 'range' holds every value that will be printed; 'whole_numbers': none of them has a fraction. 'digits': as the
    /// other arrays in sight have them, where they fit; else the first of cell_digits that does.
    CellText(const ViewStyle&, float cell_w, float cell_h, const ValueRange& range, bool whole_numbers,
             std::optional<CellDigits> digits = {});
    /// The formats that fit into cells of this size.
    static CellDigitsSet fitting(const ViewStyle&, float cell_w, float cell_h, const ValueRange& range);
    /// Whether all of them fit; else none is to be printed, as a number that is missing would pass for one that is not
    /// there.
    bool fits() const { return font_ != nullptr; }
    void draw(ImDrawList*, ImVec2 corner, double value, const Rgba&) const;
    /// As it is printed.
    std::string text_of(double value) const;

private:
    bool take(const ViewStyle&, const ValueRange&, CellDigits);

    ImFont* font_ = nullptr;
    float size_ = 0;  ///< that it is drawn at
    float cell_w_, cell_h_;
    CellDigits digits_;
};

}  // namespace convscope
