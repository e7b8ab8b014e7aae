// A page of linked figures: titles, labels, brackets, grids; finds what the pointer is on and marks what is linked.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "visualizers/figure_arrange.h"
#include "visualizers/grid_view.h"
#include "visualizers/layout_scene.h"
#include "visualizers/links.h"

namespace convscope {

/// Marks a run of rows or columns beside a grid: a block row, a window, a partition.
struct Bracket {
    std::int64_t first = 0, count = 1;
    std::string label;
    Rgba color;
    int lane = 0;  ///< brackets that overlap stand in different lanes
};

/// One array, or a part of it, as a grid with a title.
struct Figure {
    ArrayId id = ArrayId::x;
    std::string key;               ///< an array that has no id: what its grid is called in the window; empty otherwise
    GridCamera* camera = nullptr;  ///< and where its camera is kept; null otherwise
    std::string title, note;
    GridSource source;
    GridDecor decor;
    Cell offset;                 ///< array cell = grid cell + offset ...
    bool row_as_column = false;  ///< ... or array cell = (offset.row, grid row)
    std::vector<Bracket> left, above;
    std::function<std::string(std::int64_t)> row_label;
    std::function<Rgba(std::int64_t)> row_color;
    bool indices = false;  ///< row and column numbers, of the array
    /// Block row at a row of the grid: clicks in the gutter pick it. Without it there is nothing to pick.
    std::function<std::int64_t(double row)> block_at;

    Cell to_array(const Cell& cell) const {
        if (row_as_column) return {offset.row, cell.row};
        return {cell.row + offset.row, cell.col + offset.col};
    }
    std::optional<Cell> from_array(const Cell& cell) const;
};

/// A figure that shows the whole of a scene's array.
Figure whole_array(const LayoutScene&, ArrayId, std::string title, std::string note);
/// Rows first_row .. first_row + rows of an array, and of each the first 'cols' elements.
Figure array_rows(const LayoutScene&, ArrayId, std::int64_t first_row, std::int64_t rows, std::int64_t cols);

/// A cell of one of a board's figures.
struct FigurePoint {
    std::size_t figure = 0;  ///< in the order in which they were added
    Cell cell;               ///< of its grid
};

/// Draws one page in the given screen rectangle. Used within one frame.
class FigureBoard {
public:
    FigureBoard(GridRenderer&, std::map<ArrayId, GridCamera>&, const ViewStyle&);
    void add(Figure figure) { figures_.push_back(std::move(figure)); }
    /// 'candidates' number the figures in the order in which they were added.
    void arrange(const std::vector<Arrangement>& candidates, ImVec2 at, ImVec2 size);
    /// The cell under the mouse; call after arrange.
    std::optional<FigurePoint> pointed() const;
    /// The element under the mouse, of figures that have an id.
    std::optional<ElementRef> hovered() const;
    /// Draws everything, with 'links' marked where there are some. True when an element was clicked.
    bool draw(const LinkSet* links);
    /// Which of the candidates was taken.
    std::size_t arrangement() const { return page_.candidate; }
    /// The block row that was clicked in a gutter.
    std::optional<std::int64_t> picked_block() const { return picked_block_; }
    /// Lower edge of the lowest figure, from the top of the rectangle.
    float bottom() const;
    /// The range of each figure's colours.
    std::vector<ValueRange> ranges() const;
    /// Text for the note under the page when cells are too small for numbers; empty otherwise.
    std::string scale_note(Aggregate) const;

private:
    struct Margins {
        float left, top;
    };
    void place(const std::vector<Arrangement>& candidates, ImVec2 size);
    Margins margins(const Figure&) const;
    void draw_titles(const Figure&, const FigureRect&) const;
    void draw_brackets(const Figure&, const FigureRect&) const;
    void draw_row_labels(const Figure&, const FigureRect&) const;
    void draw_indices(const Figure&, const FigureRect&) const;
    void pick_block(const Figure&, const FigureRect&);
    void mark(Figure&, const LinkSet&) const;
    GridCamera& camera(const Figure& figure) const { return figure.camera ? *figure.camera : cameras_[figure.id]; }
    ImVec2 corner(const FigureRect& rect) const { return {at_.x + rect.x, at_.y + rect.y}; }

    GridRenderer& renderer_;
    std::map<ArrayId, GridCamera>& cameras_;
    const ViewStyle& style_;
    std::vector<Figure> figures_;
    Page page_;
    ImVec2 at_{0, 0};
    bool aggregated_ = false, small_ = false;
    std::optional<std::int64_t> picked_block_;
};

}  // namespace convscope
