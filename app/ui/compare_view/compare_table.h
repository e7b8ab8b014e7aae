// A million rows as a table: only what is in sight is drawn, and places are counted in rows, not in pixels.
#pragma once

#include <string>
#include <vector>

#include "app/compare/compare_result.h"
#include "visualizers/plots/plot.h"

namespace convscope::app {

struct CompareTableEvents {
    PlotRow hovered = no_row, clicked = no_row;
    bool with_ctrl = false;  ///< the click adds to what is chosen
    bool menu = false;       ///< a right click into the rows
    std::string sort;        ///< a column whose head was clicked; empty: none
};

class CompareTable {
public:
    /// Fills what is left of the current window.
    CompareTableEvents draw(const CompareResult&, const CompareChoice&, const PlotEmphasis&);
    std::size_t first_row() const { return static_cast<std::size_t>(first_); }

private:
    void scroll(std::size_t rows, std::size_t in_sight);
    void scroll_bar(float x, float y, float width, float height, std::size_t rows, std::size_t in_sight);

    double first_ = 0;  ///< place in the order of the row at the top
};

}  // namespace convscope::app
