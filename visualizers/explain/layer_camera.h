// The camera of a view of a large array: from all of it to one element, with one number. No ImGui, no OpenGL.
//
// 'unit' is the side of an element in pixels. Along an axis on which the whole array is shorter than that, elements
// are stretched until the array fills the view. So a matrix of 200 000 x 576 first fills the view; zooming in
// then stretches its rows alone until elements are square, and from there on both axes.
#pragma once

#include <cstdint>

namespace convscope {

struct LayerCamera {
    double unit = 0;          ///< 0: all of it, whatever the size of the view
    double row = 0, col = 0;  ///< at the top left corner
    bool operator==(const LayerCamera&) const = default;
};

/// The array that the camera looks at, and the window it is seen through.
struct LayerWindow {
    double width = 1, height = 1;  ///< px
    std::int64_t rows = 1, cols = 1;
    double max_cell = 72;    ///< px: the closest look
    double max_fitted = 40;  ///< px: a small array is not stretched further

    double cell_w(const LayerCamera&) const;
    double cell_h(const LayerCamera&) const;
    double min_unit() const;  ///< shows everything
    double rows_shown(const LayerCamera& camera) const { return height / cell_h(camera); }
    double cols_shown(const LayerCamera& camera) const { return width / cell_w(camera); }
};

/// Within the array, and no closer or farther than there is something to see.
LayerCamera kept_inside(LayerCamera, const LayerWindow&);
/// The element under (x, y) px of the window stays there.
LayerCamera zoomed(const LayerCamera&, const LayerWindow&, double factor, double x, double y);
LayerCamera panned(const LayerCamera&, const LayerWindow&, double dx, double dy);
/// With this element in the middle, as far as there is array around it.
LayerCamera centred(const LayerCamera&, const LayerWindow&, double row, double col);
/// With this element at the top left.
LayerCamera scrolled_to(const LayerCamera&, const LayerWindow&, double row, double col);
/// All of it. An element a pixel, about the middle.
LayerCamera fitted(const LayerWindow&);
LayerCamera one_to_one(const LayerCamera&, const LayerWindow&);
/// One frame of 'seconds' on the way to 'target'; equal to it at the end. What stands still in both stays still.
LayerCamera approached(const LayerCamera&, const LayerCamera& target, const LayerWindow&, double seconds);

}  // namespace convscope
