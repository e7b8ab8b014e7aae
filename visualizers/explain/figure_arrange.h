// Places figures (grids with titles) on a page of any size: tries the given arrangements and takes the one in which
// the cells get largest. No ImGui, no OpenGL.
#pragma once

#include <cstdint>
#include <vector>

namespace convscope {

/// The space that a figure needs: its cells in units (one unit is one cell's edge, the same in all figures) and the
/// fixed pixels round them.
struct FigureSize {
    double cols = 1, rows = 1;  ///< small figures may be given several units a cell, when others are long
    float left = 0;             ///< gutter for row labels, px
    float top = 0;              ///< title, notes and column labels, px
    float min_width = 0;        ///< of title and notes, px
    /// Smaller cells cannot have their values printed, px.
    float print_width = 0, print_height = 0;
};

struct FigureRect {
    float x = 0, y = 0, width = 0, height = 0;  ///< of the cells
    float top = 0;                              ///< of title, notes and column labels: the most of its row
    bool operator==(const FigureRect&) const = default;
};

/// A figure, or several side by side or one above the other.
struct Arrangement {
    enum class Kind { figure, row, column } kind = Kind::figure;
    int figure = 0;
    std::vector<Arrangement> parts;

    Arrangement(int number) : figure(number) {}  ///< one figure: pages name theirs by an enum
    static Arrangement row(std::vector<Arrangement> parts) { return {Kind::row, std::move(parts)}; }
    static Arrangement column(std::vector<Arrangement> parts) { return {Kind::column, std::move(parts)}; }

private:
    Arrangement(Kind several, std::vector<Arrangement> of) : kind(several), parts(std::move(of)) {}
};

/// Bounds of a page, in px.
struct PageLimits {
    float width = 0, height = 0;
    float gap_x = 0, gap_y = 0;   ///< between figures
    float largest_unit = 44;      ///< px
    float comfortable_unit = 28;  ///< larger cells count less, and fill the page
    float flat = 1;               ///< a cell's height, of its width
};

/// One rectangle per figure, from the top left of the page; the whole is centred. Long figures are squeezed, never
/// clipped: their cells become smaller than a unit.
struct Page {
    std::vector<FigureRect> figures;
    float unit = 0;
    std::size_t candidate = 0;  ///< which arrangement was taken
};
Page arrange(const std::vector<Arrangement>& candidates, const std::vector<FigureSize>&, const PageLimits&);

}  // namespace convscope
