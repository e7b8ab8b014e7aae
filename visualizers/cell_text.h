// Numbers inside cells: as many digits as fit, in tabular figures.
#pragma once

#include <string>

#include <imgui.h>

#include "visualizers/theme.h"

namespace convscope {

/// A value in at most 'width' characters: an integer as it is, else as many decimals as fit; empty when even the
/// integer part does not fit. Never in scientific notation.
std::string short_value(double value, int width);

/// Prints values centred in cells of one size.
class CellText {
public:
    CellText(const ViewStyle&, float cell_w, float cell_h);
    void draw(ImDrawList*, ImVec2 corner, double value, const Rgba&) const;

private:
    ImFont* font_;
    float size_, digit_w_, cell_w_, cell_h_;
    int width_;
};

}  // namespace convscope
