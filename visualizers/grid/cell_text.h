// Numbers inside cells: as many digits as fit, in tabular figures.
#pragma once

#include <string>

#include <imgui.h>

#include "kernels/core/value_range.h"
#include "visualizers/style/view_style.h"

namespace convscope {

/// A value in at most 'width' characters: an integer as it is, else as many decimals as fit, at least one below 10;
/// "~0" for what rounds to nothing; empty when that does not fit. Never in scientific notation.
std::string short_value(double value, int width);

/// Prints values centred in cells of one size, all of an array with equally many decimals: in the largest font in which
/// every value fits, two decimals before one. Never rounded to what they are not.
class CellText {
public:
    /// 'range' holds every value that will be printed; 'whole_numbers': none of them has a fraction.
    CellText(const ViewStyle&, float cell_w, float cell_h, const ValueRange& range, bool whole_numbers);
    /// Whether all of them fit; else none is to be printed, as a number that is missing would pass for one that is not
    /// there.
    bool fits() const { return font_ != nullptr; }
    void draw(ImDrawList*, ImVec2 corner, double value, const Rgba&) const;

private:
    std::string text_of(double value) const;
    bool take(ImFont*, float size, const ValueRange&, float room);

    ImFont* font_ = nullptr;
    float size_ = 0;  ///< that it is drawn at
    float cell_w_, cell_h_;
    int decimals_ = 0;
    bool leading_zero_ = true;
};

}  // namespace convscope
