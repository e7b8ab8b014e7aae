#include "visualizers/explain/layer_camera.h"

#include <algorithm>
#include <cmath>

namespace convscope {
namespace {

constexpr double time_constant_s = 0.05;  // of the way that is left, 63 % in this time

double fitted_cell(double extent, std::int64_t count, double most) {
    return std::min(extent / static_cast<double>(count), most);
}

}  // namespace

double LayerWindow::cell_w(const LayerCamera& camera) const {
    return std::max(camera.unit, fitted_cell(width, cols, max_fitted));
}

double LayerWindow::cell_h(const LayerCamera& camera) const {
    return std::max(camera.unit, fitted_cell(height, rows, max_fitted));
}

double LayerWindow::min_unit() const {
    return std::min(fitted_cell(width, cols, max_fitted), fitted_cell(height, rows, max_fitted));
}

LayerCamera kept_inside(LayerCamera camera, const LayerWindow& window) {
    const double least = window.min_unit();
    camera.unit = camera.unit <= least ? 0 : std::min(camera.unit, std::max(least, window.max_cell));
    auto keep = [](double& first, std::int64_t count, double shown) {
        first = std::clamp(first, 0.0, std::max(0.0, static_cast<double>(count) - shown));
    };
    keep(camera.row, window.rows, window.rows_shown(camera));
    keep(camera.col, window.cols, window.cols_shown(camera));
    return camera;
}

LayerCamera zoomed(const LayerCamera& camera, const LayerWindow& window, double factor, double x, double y) {
    const double row = camera.row + y / window.cell_h(camera), col = camera.col + x / window.cell_w(camera);
    LayerCamera next = camera;
    next.unit = std::max(camera.unit, window.min_unit()) * factor;
    next.unit = std::min(next.unit, window.max_cell);
    next.row = row - y / window.cell_h(next);
    next.col = col - x / window.cell_w(next);
    return kept_inside(next, window);
}

LayerCamera panned(const LayerCamera& camera, const LayerWindow& window, double dx, double dy) {
    LayerCamera next = camera;
    next.row -= dy / window.cell_h(camera);
    next.col -= dx / window.cell_w(camera);
    return kept_inside(next, window);
}

LayerCamera centred(const LayerCamera& camera, const LayerWindow& window, double row, double col) {
    return scrolled_to(camera, window, row - window.rows_shown(camera) / 2, col - window.cols_shown(camera) / 2);
}

LayerCamera scrolled_to(const LayerCamera& camera, const LayerWindow& window, double row, double col) {
    LayerCamera next = camera;
    next.row = row;
    next.col = col;
    return kept_inside(next, window);
}

LayerCamera fitted(const LayerWindow& window) {
    return kept_inside({}, window);
}

LayerCamera one_to_one(const LayerCamera& camera, const LayerWindow& window) {
    const double unit = std::max(camera.unit, window.min_unit());
    return zoomed(camera, window, 1 / unit, window.width / 2, window.height / 2);
}

LayerCamera approached(const LayerCamera& camera, const LayerCamera& target, const LayerWindow& window,
                       double seconds) {
    const double share = 1 - std::exp(-seconds / time_constant_s);
    const double least = window.min_unit();
    const double from = std::max(camera.unit, least), to = std::max(target.unit, least);
    LayerCamera next = camera;
    next.unit = from * std::pow(to / from, share);
    // A point that stands still while a cell grows from a to b has its distance to the corner shrink as 1 / cell does.
    auto along = [share](double a, double now, double b) {
        return std::abs(1 / b - 1 / a) < 1e-12 / a ? share : (1 / now - 1 / a) / (1 / b - 1 / a);
    };
    const double rows = along(window.cell_h(camera), window.cell_h(next), window.cell_h(target));
    const double cols = along(window.cell_w(camera), window.cell_w(next), window.cell_w(target));
    next.row += (target.row - camera.row) * rows;
    next.col += (target.col - camera.col) * cols;
    const bool near = std::abs(to / next.unit - 1) < 2e-3 &&
                      std::abs(target.row - next.row) * window.cell_h(target) < 0.5 &&
                      std::abs(target.col - next.col) * window.cell_w(target) < 0.5;
    return near ? target : kept_inside(next, window);
}

}  // namespace convscope
