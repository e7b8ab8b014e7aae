// A page of linked figures: titles, labels, brackets, grids; finds what the pointer is on and marks what is linked.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "visualizers/explain/figure_arrange.h"
#include "visualizers/explain/figure_glide.h"
#include "visualizers/explain/links.h"
#include "visualizers/explain/lit_term.h"
#include "visualizers/explain/multiplication.h"
#include "visualizers/grid/grid_view.h"
#include "visualizers/layouts/layout_scene.h"
#include "visualizers/style/view_style.h"

namespace convscope {

/// Marks a run of rows or columns next to a grid: a block row, a window, a partition.
struct Bracket {
    std::int64_t first = 0, count = 1;
    std::string label;
    Rgba color;
    int lane = 0;                    ///< brackets that overlap stand in different lanes
    std::optional<LinkGroup> group;  ///< the group that it stands for when pointed at
};

/// One array, or a part of it, as a grid with a title.
struct Figure {
    ArrayId id = ArrayId::x;
    std::string key;               ///< an array that has no id: what its grid is called in the window; empty otherwise
    GridCamera* camera = nullptr;  ///< and where its camera is kept; null otherwise
    std::string title, note;
    std::string widest_title;  ///< the widest title it may get, which moves nothing; empty: the title
    GridSource source;
    GridDecor decor;
    Cell offset;                 ///< array cell = grid cell + offset ...
    bool row_as_column = false;  ///< ... or array cell = (offset.row, grid row)
    std::vector<Bracket> left, above;
    std::function<std::string(std::int64_t)> row_label;
    std::function<Rgba(std::int64_t)> row_color;
    std::function<LinkGroup(std::int64_t)> row_group;  ///< the group that a row's label stands for when pointed at
    bool companion = false;                            ///< of the second layout on the page
    bool concealed = false;                            ///< only its place and title are visible
    bool indices = false;  ///< row and column numbers, of the array; rows with labels have those
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

/// On the screen, all the rows of a grid at one of its columns.
struct CellColumn {
    ImVec2 min, max;
};

/// Draws one page in the given screen rectangle. Used within one frame.
class FigureBoard {
public:
    FigureBoard(GridRenderer&, std::map<ArrayId, GridCamera>&, const ViewStyle&);
    void add(Figure);
    /// Shows only the place and the title of these arrays; call before arrange. If y is among them, its size is hidden
    /// too: of the names of block rows, only that of 'block' is shown.
    void conceal(const std::vector<ArrayId>&, std::int64_t block);
    /// 'candidates' number the figures in the order in which they were added.
    void arrange(const std::vector<Arrangement>& candidates, ImVec2 at, ImVec2 size);
    /// Draws the figures, and finds them, on their way to where arrange has put them; after it.
    void glide(FigureGlide&, bool at_once);
    /// The cell under the mouse; call after arrange.
    std::optional<FigurePoint> pointed() const;
    CellColumn column_of(const FigurePoint&) const;
    /// The element under the mouse, of figures that have an id.
    std::optional<ElementRef> hovered() const;
    /// Figures added from now on belong to a second layout, next to the first: framed, and with cameras of its own.
    void begin_companion(std::map<ArrayId, GridCamera>& cameras) { companion_cameras_ = &cameras; }
    /// Whether the figure is of the second layout.
    bool is_companion(std::size_t figure) const { return figures_[figure].companion; }
    /// The block row, thread, window or partition whose name is under the mouse; 'companion' says in which layout.
    std::optional<LinkGroup> pointed_group(bool& companion) const;
    /// Draws everything, with what is linked marked, where something is: 'first' in the first layout, 'companion' in
    /// the second. 'focus_companion': the focus is in the second. True when an element was clicked.
    bool draw(const LinkSet* first, const LinkSet* companion = nullptr, bool focus_companion = false);
    /// Whether the first layout has x, w and y, in sight.
    bool shows_multiplication() const;
    /// Shows a multiplication over the first layout's arrays; after draw. 'before': the window that it slides from.
    /// Where cells have no numbers, only the window's outline moves. Needs shows_multiplication().
    void multiply(const Multiplication&, const MultiplyMoment&, const std::optional<MultiplyWindow>& before) const;
    /// Before draw: the window of what is linked is not outlined, as multiply draws it on its way.
    void leave_out_window() { without_window_ = true; }
    /// Lights what a formula's term stands for; after draw.
    void light(const LitTerm&) const;
    /// The index of the chosen candidate.
    std::size_t arrangement() const { return page_.candidate; }
    /// The block row that was clicked in a gutter.
    std::optional<std::int64_t> picked_block() const { return picked_block_; }
    /// The width of the narrowest figure's cells, once the figures are arranged.
    float narrowest_cell() const;
    /// Lower edge of the lowest figure, from the top of the rectangle, once it is in its place.
    float bottom() const { return bottom_; }
    /// The range of each figure's colours.
    std::vector<ValueRange> ranges() const;
    /// Text for the note under the page when cells are too small for numbers; empty otherwise.
    std::string scale_note(Aggregate) const;

    /// The surroundings of the cells: the notes, the numbers of rows and columns; 'flat': cells are no higher than a
    /// number.
    struct Surroundings {
        bool notes, indices, flat;
    };

    // At scale 1, wide enough for what the caption font writes there.
    static constexpr float lane_px = 18;       ///< a bracket's lane above a grid ...
    static constexpr float left_lane_px = 26;  ///< ... and at its left, where "B12" has to fit
    static constexpr float row_label_px = 34;  ///< "T12"
    static constexpr float index_px = 26;      ///< a row's number
    static constexpr float line_px = 17;       ///< column numbers; rows nearer than this share one number

private:
    class Stage;
    struct Margins {
        float left, top;
    };
    std::optional<std::size_t> own_figure(ArrayId) const;
    void note_weight(ImVec2 corner, ImVec2 cell, const std::string& weight, const Rgba& ink, float alpha) const;
    void agree_on_digits();
    std::size_t with_numbers() const;
    void place(const std::vector<Arrangement>& candidates, ImVec2 size, const Surroundings&);
    Margins margins(const Figure&) const;
    float names_width(const Figure&) const;
    void draw_concealed(const FigureRect&) const;
    void draw_titles(const Figure&, const FigureRect&) const;
    void tell_of_figure(const Figure&, const FigureRect&) const;
    void draw_brackets(const Figure&, const FigureRect&) const;
    void draw_row_labels(const Figure&, const FigureRect&) const;
    void draw_indices(const Figure&, const FigureRect&) const;
    void pick_block(const Figure&, const FigureRect&);
    void mark(Figure&, const LinkSet&, bool focused) const;
    void spotlight(const Figure&, const FigureRect&, std::size_t own_outlines) const;
    void mark_names(const Figure&, const FigureRect&, const LinkSet&) const;
    void draw_companion_frame() const;
    float bracket_x(const Figure&, const FigureRect&, const Bracket&) const;
    float bracket_y(const FigureRect&, const Bracket&) const;
    GridCamera& camera(const Figure& figure) const { return figure.camera ? *figure.camera : cameras_[figure.id]; }
    ImVec2 corner(const FigureRect& rect) const { return {at_.x + rect.x, at_.y + rect.y}; }

    GridRenderer& renderer_;
    std::map<ArrayId, GridCamera>& cameras_;
    std::map<ArrayId, GridCamera>* companion_cameras_ = nullptr;
    const ViewStyle& style_;
    std::vector<Figure> figures_;
    Page page_;
    ImVec2 at_{0, 0};
    float bottom_ = 0;
    bool aggregated_ = false, small_ = false, without_window_ = false;
    std::optional<std::int64_t> picked_block_;
};

}  // namespace convscope
