// Plots side by side: as many of them as are legible in the room that there is.
#pragma once

#include <imgui.h>

#include <cstddef>

namespace convscope::app {

/// A plot with its title and its legend keeps half of its panel from these on, at scale 1.
inline constexpr float min_panel_width = 300, min_panel_height = 190;

class PlotGrid {
public:
    /// For 'count' plots in 'room'; 'min' in px. Of two alone in a row the first has this share of the width.
    PlotGrid(std::size_t count, ImVec2 room, ImVec2 min, float gap, float first_share = 0.5F);

    std::size_t fits() const { return fits_; }  ///< at least one
    /// The place of the nth of those that are shown, from the upper left corner. Where they are odd in number, the
    /// first has a row to itself.
    ImVec2 at(std::size_t n) const;
    ImVec2 size(std::size_t n) const;

private:
    bool alone(std::size_t n) const { return columns_ == 1 || (n == 0 && fits_ % 2 == 1); }
    std::size_t row_of(std::size_t n) const;

    std::size_t columns_, rows_, fits_;
    ImVec2 room_;
    float gap_, first_share_;
};

}  // namespace convscope::app
