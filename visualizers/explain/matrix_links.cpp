#include "visualizers/explain/matrix_links.h"

#include <algorithm>
#include <utility>

#include "kernels/layers/covering_windows.h"

namespace convscope {

std::optional<InputElement> input_behind(MatrixOf of, const ConvShape& s, std::int64_t image, const FormatCell& cell) {
    if (of == MatrixOf::w) return std::nullopt;
    if (of == MatrixOf::x) return InputElement{image, cell.row / s.h, cell.row % s.h, cell.col};
    const std::int64_t tap = cell.row % s.window();
    const InputElement element{image, cell.row / s.window(), s.x_row(cell.col / s.q(), tap / s.s),
                               s.x_col(cell.col % s.q(), tap % s.s)};
    if (element.h < 0 || element.h >= s.h || element.w < 0 || element.w >= s.w) return std::nullopt;
    return element;
}

std::vector<FormatCell> copies_of(const InputElement& e, MatrixOf of, const ConvShape& s, std::int64_t image) {
    if (of == MatrixOf::w || e.n != image) return {};
    if (of == MatrixOf::x) return {{e.c * s.h + e.h, e.w}};
    std::vector<FormatCell> places;
    for (const auto& [p, i] : windows_over_row(s, e.h))
        for (const auto& [q, j] : windows_over_col(s, e.w))
            places.push_back({(e.c * s.r + i) * s.s + j, p * s.q() + q});
    std::ranges::sort(places, {}, [](const FormatCell& cell) { return std::pair{cell.row, cell.col}; });
    return places;
}

}  // namespace convscope
