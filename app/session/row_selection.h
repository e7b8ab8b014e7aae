// The rows of a table that are highlighted in all its plots: brushed, clicked and pointed at. Plain data.
#pragma once

#include <algorithm>
#include <vector>

#include "visualizers/plots/plot.h"

namespace convscope::app {

class RowSelection {
public:
    /// Nothing brushed lights everything.
    bool brushed() const { return count_ > 0; }
    std::size_t count() const { return count_; }
    bool holds(PlotRow row) const { return !brushed() || (row < chosen_.size() && chosen_[row]); }

    void brush(const std::vector<PlotRow>& rows) {
        clear_brush();
        for (const PlotRow row : rows)
            if (!(row < chosen_.size() && chosen_[row])) toggle(row);
    }
    /// One row in, or out again.
    void toggle(PlotRow row) {
        if (row >= chosen_.size()) chosen_.resize(row + 1, false);
        chosen_[row] = !chosen_[row];
        chosen_[row] ? ++count_ : --count_;
    }
    void clear_brush() {
        chosen_.clear();
        count_ = 0;
    }
    /// For other rows than before.
    void reset() { *this = {}; }

    PlotEmphasis emphasis() const { return {brushed() ? &chosen_ : nullptr, hovered, pinned}; }

    PlotRow hovered = no_row, pinned = no_row;

private:
    std::vector<bool> chosen_;
    std::size_t count_ = 0;
};

}  // namespace convscope::app
