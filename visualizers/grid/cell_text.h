// Numbers inside cells: as many digits as fit, in tabular figures.
#pragma once

#include <string>

#include <imgui.h>

#include "visualizers/style/view_style.h"

namespace convscope {

/// A value in at most 'width' characters: an integer as it is, else as many decimals as fit, at least one below 10;
/// "~0" for what rounds to nothing; empty when that does not fit. Never in scientific notation.
std::string short_value(double value, int width);

/// The width in pixels below which a cell cannot have this value printed legibly.
float narrowest_cell(double value, const ViewStyle&);

/// Prints values centred in cells of one size: in the mono font where that fits, else in the caption font with fewer
/// decimals, that a little smaller where it has to be.
class CellText {
public:
    /// 'whole_numbers': nothing with a fraction will be printed, so two or three digits are enough.
    CellText(const ViewStyle&, float cell_w, float cell_h, bool whole_numbers);
    void draw(ImDrawList*, ImVec2 corner, double value, const Rgba&) const;

private:
    ImFont* font_;
    float size_, cell_w_, cell_h_, room_ = 0;
    int width_;
};

}  // namespace convscope
