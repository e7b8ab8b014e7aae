// Draws a GL buffer of numbers as a grid of coloured cells inside an ImGui window, at any size: one shader for all
// arrays. Pan by drag, zoom by wheel, double click to fit.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <imgui.h>

#include "kernels/layers/layout_builder.h"
#include "visualizers/explain/aggregate.h"
#include "visualizers/explain/element.h"
#include "visualizers/grid/cell_text.h"
#include "visualizers/grid/tile_pyramid.h"
#include "visualizers/style/view_style.h"

namespace convscope {

/// The elements to draw: rows x cols elements of 4 bytes, cell (r, c) at first + r * row_stride + c.
struct GridSource {
    unsigned buffer = 0;
    std::int64_t first = 0, rows = 0, cols = 0, row_stride = 0;
    Element element = Element::f32;
    bool empty_slots = false;      ///< all bits set is blank
    bool zero_is_a_value = false;  ///< indices: 0 is drawn like any other number
    ValueRange range;
    /// The aggregates of exactly these elements; built on, a little in each frame, when cells are below a pixel. Null:
    /// a few elements under each pixel stand for the rest.
    TilePyramid* pyramid = nullptr;
    std::uint64_t contents = 0;  ///< without a pyramid: another number for other contents; 0 where it is not known
    /// Bit patterns of a part, to print values; as LayoutScene::read. Without it no values are printed.
    std::function<const std::vector<std::uint32_t>&(std::int64_t first, std::int64_t rows, std::int64_t cols,
                                                    std::int64_t row_stride)>
        read;
};

/// A grid's position on the screen: a box, the size of a cell, and the row and column at the box's top left corner.
struct GridPlace {
    ImVec2 at, size;
    double cell_w = 1, cell_h = 1;
    double row = 0, col = 0;
    /// Screen position of the top left corner of a cell; fractions of cells allowed.
    ImVec2 point(double r, double c) const {
        return {at.x + static_cast<float>((c - col) * cell_w), at.y + static_cast<float>((r - row) * cell_h)};
    }
    bool aggregated() const { return cell_w < 1 || cell_h < 1; }
};

/// The user's zoom and pan. zoom 1 shows everything.
struct GridCamera {
    double zoom = 1;
    double row = 0, col = 0;  ///< at the top left corner
    bool operator==(const GridCamera&) const = default;
};

/// Decorations on top of the cells and around them.
struct GridDecor {
    struct Outline {
        std::int64_t row = 0, col = 0, rows = 1, cols = 1;
        Rgba color;
        float width = 2;      ///< px at scale 1
        float fill = 0;       ///< alpha of the inside
        bool shared = false;  ///< a neighbour has it as well: its frame is dashed
    };
    std::vector<Cell> linked;   ///< outlined in the accent colour
    std::optional<Cell> focus;  ///< outlined stronger
    struct Underline {
        std::int64_t row = 0, col = 0, cols = 1;
        Rgba color;
    };
    std::vector<Outline> outlines;      ///< windows, partitions
    std::vector<Underline> underlines;  ///< runs of cells that belong together, drawn while cells are large
    std::int64_t tint_rows = 0;         ///< > 0: rows are tinted by category, so many rows each
    std::int64_t tint_first = 0;        ///< category of row 0
    float hatch = 1;                    ///< strength of the hatching of zeros
    std::optional<CellDigits> digits;   ///< of its numbers, as the other arrays of the page have them
};

struct GridDraw;

/// The user's actions on the grid in this frame.
struct GridHit {
    std::optional<Cell> hovered;
    bool clicked = false;
    float cell_w = 0, cell_h = 0;  ///< pixels, after zoom
    bool values_shown = false;
    bool aggregated = false;  ///< a cell is smaller than a pixel
    double built = 1;         ///< share of the aggregates that is there; below 1, samples stand for them
};

/// Owns the shader. One for all grids of a GL context.
class GridRenderer {
public:
    GridRenderer();
    ~GridRenderer();
    /// Once per ImGui frame, before any draw.
    void begin_frame();
    /// Sets the value that pixels show where several elements share one.
    void show(Aggregate aggregate) { aggregate_ = aggregate; }
    /// The shaders that build pyramids; compiled when first requested.
    std::shared_ptr<PyramidPrograms> pyramid_programs();
    /// A pyramid of the latest frame is still being built, or its picture is coarse: a later frame shows more.
    bool building() const;
    /// Draws into the current window at screen position 'at' and takes the mouse there. 'id' is unique in the window.
    GridHit draw(const char* id, ImVec2 at, ImVec2 size, const GridSource&, GridCamera&, const GridDecor&,
                 const ViewStyle&);
    /// The same at any place, without the mouse: GridHit tells how it was drawn.
    GridHit draw_cells(const GridPlace&, const GridSource&, const GridDecor&, const ViewStyle&);

private:
    struct Impl;
    friend const GridDraw* grid_of(const ImDrawCmd&);
    bool aggregates_ready(const GridPlace&, const GridSource&, GridHit&);

    std::unique_ptr<Impl> impl_;
    Aggregate aggregate_ = Aggregate::largest;
    std::shared_ptr<PyramidPrograms> pyramid_programs_;
    double building_ms_ = 0;  ///< left of this frame's share
    bool building_ = false;
};

/// The grid that a command of ImGui's draw list draws; null where it draws something else. Valid until the next frame
/// begins.
const GridDraw* grid_of(const ImDrawCmd&);
/// The smallest size of cells in which values are printed.
ImVec2 printing_cell(const ViewStyle&);
/// How a grid's numbers can be printed; none where it prints none, or none with a fraction.
CellDigitsSet fitting_digits(ImVec2 at, ImVec2 size, const GridSource&, const GridCamera&, const ViewStyle&);
/// Screen position of the top left corner of a cell; fractions of cells allowed.
ImVec2 grid_point(ImVec2 at, ImVec2 size, const GridSource&, const GridCamera&, double row, double col);

}  // namespace convscope
