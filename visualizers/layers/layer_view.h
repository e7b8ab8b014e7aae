// A whole layer's array in a window: cells with their values near by, aggregates from afar; pan, zoom, a minimap, and
// what is under the pointer in words.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "visualizers/explain/layer_camera.h"
#include "visualizers/layers/layer_scene.h"
#include "visualizers/style/view_style.h"

namespace convscope {

/// The user's settings. Plain data.
struct LayerViewState {
    LayerCamera camera;  ///< as drawn
    LayerCamera target;  ///< where it is going
    Aggregate aggregate = Aggregate::share;
};

/// A part of the array under the pointer: one element, or what shares its pixel.
struct LayerSpot {
    std::int64_t row0 = 0, row1 = 1, col0 = 0, col1 = 1;  ///< half open
    bool one() const { return row1 - row0 == 1 && col1 - col0 == 1; }
    bool operator==(const LayerSpot&) const = default;
};

struct LayerViewResult {
    std::optional<LayerSpot> pointed;  ///< rows of the part
    bool clicked = false;              ///< the element under the pointer was clicked
    std::string words;                 ///< about it; empty when nothing is pointed at
    bool aggregated = false;           ///< several elements share a pixel
    bool values_shown = false;
    ImVec2 cells_min, cells_max;      ///< where the cells are drawn
    ImVec2 minimap_min, minimap_max;  ///< and the minimap; equal where there is no room for one
};

/// The texts of the view about the array.
struct LayerWords {
    std::string summary, note;
    std::function<std::string(std::int64_t row, std::int64_t col)> place;  ///< of one element
};

/// Elements that are marked, by rows of the whole array; those outside the part are not drawn.
struct LayerMarks {
    std::vector<Cell> linked;
    std::optional<Cell> focus;
};

/// One per GL context.
class LayerView {
public:
    explicit LayerView(GridRenderer& renderer) : renderer_(renderer) {}
    /// Fills the rest of the present ImGui window. 'smooth': the camera glides to where it is sent.
    LayerViewResult draw(LayerScene&, LayerViewState&, const LayerWords&, const LayerMarks&, bool smooth,
                         const ViewStyle&);
    /// The window of the latest draw, for commands that move the camera.
    const LayerWindow& window() const { return window_; }

private:
    bool move(LayerViewState&, ImVec2 at, ImVec2 size, bool smooth);
    void minimap(LayerScene&, LayerViewState&, ImVec2 at, ImVec2 size, const ViewStyle&);
    void maps(const LayerScene&, const GridPlace&, const ViewStyle&) const;
    void numbers(const LayerScene&, const GridPlace&, const ViewStyle&) const;
    void images(const LayerScene&, const GridPlace&, const ViewStyle&) const;
    void point(LayerScene&, const GridPlace&, const LayerWords&, LayerViewResult&);
    std::string words_of(LayerScene&, const LayerSpot&, std::size_t level);

    GridRenderer& renderer_;
    LayerWindow window_;
    struct PointedCell {
        LayerSpot spot;
        std::uint64_t version = 0;  ///< of the aggregates: no two contents share one
        bool complete = false;
        std::string words;
    };
    PointedCell latest_;  ///< a still pointer costs nothing
};

}  // namespace convscope
