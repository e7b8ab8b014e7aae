#include "visualizers/step/array_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace convscope {
namespace {

constexpr std::int64_t wrapped_cols = 32;  // the banks of shared memory
constexpr std::int64_t longest_row = 64;   // a longer row of a format is broken

template <std::size_t size>
bool one_of(std::string_view name, const std::array<const char*, size>& names) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
    return (a + b - 1) / b;
}

ArrayShape matrix(std::int64_t rows, std::int64_t cols) {
    ArrayShape shape;
    shape.rows = rows;
    shape.cols = cols;
    shape.most = rows * cols;
    shape.meaning = fmt::format("{} × {}", rows, cols);
    return shape;
}

ArrayShape wrapped(std::int64_t elements) {
    ArrayShape shape = matrix(std::max<std::int64_t>(1, ceil_div(elements, wrapped_cols)),
                              std::clamp<std::int64_t>(elements, 1, wrapped_cols));
    shape.most = elements;
    shape.meaning = fmt::format("{} elements", elements);
    return shape;
}

ArrayShape maps(std::int64_t images, std::int64_t channels, std::int64_t rows, std::int64_t cols, bool interleaved) {
    ArrayShape shape = matrix(rows, cols);
    shape.planes = images * channels;
    shape.channels = channels;
    shape.interleaved = interleaved && channels > 1;
    shape.most = shape.planes * rows * cols;
    shape.indexed_by_cell = true;
    return shape;
}

/// One segment for each owner, side by side as rows; a long segment is a plane of its own.
ArrayShape segments(std::int64_t owners, std::int64_t length) {
    if (length <= longest_row) return matrix(owners, length);
    ArrayShape shape = matrix(ceil_div(length, wrapped_cols), wrapped_cols);
    if (length % wrapped_cols != 0) return wrapped(owners * length);
    shape.planes = owners;
    shape.most = owners * length;
    return shape;
}

std::optional<ArrayShape> of_layer(const ArrayFacts& array, const ConvShape& s, Layout layout) {
    const bool interleaved = layout == Layout::nhwc;
    const std::string_view name = array.name;
    const std::int64_t n = array.elements;
    if (one_of(name, std::array{"x", "Input", "input", "I"}) && n == s.x_elements())
        return maps(s.n, s.c, s.h, s.w, interleaved);
    if (one_of(name, std::array{"w", "filter", "Kernel", "filters"}) && n == s.w_elements())
        return maps(s.k, s.c, s.r, s.s, false);
    if (name == "weights" && n == s.w_elements()) return matrix(s.reduction(), s.k);
    if (one_of(name, std::array{"y", "O", "Output", "maxvalue", "conv"})) {
        if (n == s.y_elements()) return maps(s.n, s.k, s.out_h(), s.out_w(), interleaved);
        if (n == s.conv_elements()) return maps(s.n, s.k, s.p(), s.q(), interleaved);
    }
    return std::nullopt;
}

std::optional<ArrayShape> of_format(const ArrayFacts& array, const ConvShape& s) {
    const std::string_view name = array.name;
    const std::int64_t n = array.elements;
    if (name == "L" && n == s.mec_elements()) {
        ArrayShape shape = matrix(s.n * s.q(), s.padded_h() * s.s * s.c);
        shape.rows_are = RowMeaning::strip;
        shape.indexed_by_cell = true;
        return shape;
    }
    if (name == "matrix" && n == s.im2col_elements()) {
        ArrayShape shape = matrix(s.n * s.p() * s.q(), s.reduction());
        shape.indexed_by_cell = true;
        return shape;
    }
    if (one_of(name, std::array{"values", "positions"}) && n % s.reduction() == 0)
        return segments(n / s.reduction(), s.reduction());
    if (name == "Ptr" && n == s.n * s.p() * s.q()) return matrix(s.n * s.p(), s.q());
    if (name == "Count" && s.pooled() && n == s.n * s.out_h() * s.out_w() * s.pool_h * s.pool_w)
        return matrix(s.n * s.out_h() * s.out_w(), s.pool_h * s.pool_w);
    return std::nullopt;
}

/// Segments of a block's threads in shared memory.
std::optional<ArrayShape> of_threads(const ArrayFacts& array, const ConvShape& s, const KernelLaunch& launch) {
    std::string_view name = array.name;
    if (name.starts_with("all_")) name.remove_prefix(4);
    if (!one_of(name, std::array{"F_data", "K_data", "Ptr", "Data", "Index", "Count", "count", "conv"}))
        return std::nullopt;
    const std::int64_t threads = launch.block.count(), pool = std::max<std::int64_t>(1, s.pool_h * s.pool_w);
    for (std::int64_t length : {std::int64_t{1}, s.window(), pool, pool * s.window()}) {
        if (array.elements != threads * length) continue;
        ArrayShape shape = matrix(threads, length);
        shape.rows_are = RowMeaning::thread;
        shape.meaning = "by thread";
        return shape;
    }
    // As printed in Xu 2019, Algorithm 3, all threads share one segment: a row for each window of the pooling window.
    if (array.elements == pool * s.window()) return matrix(pool, s.window());
    return std::nullopt;
}

/// Tiles of x and w that a block stages in shared memory.
std::optional<ArrayShape> of_tile(const ArrayFacts& array, const ConvShape& s, const KernelLaunch& launch) {
    const std::int64_t tile_h = (launch.block.y - 1) * s.stride_h + s.r;
    const std::int64_t tile_w = (launch.block.x - 1) * s.stride_w + s.s;
    if (array.name == "rows" && array.elements == tile_h * tile_w) return matrix(tile_h, tile_w);
    if (one_of(array.name, std::array{"kernel", "filter"}) && array.elements == s.window()) return matrix(s.r, s.s);
    return std::nullopt;
}

}  // namespace

ArrayShape::Place ArrayShape::place(std::int64_t index) const {
    if (interleaved) {
        const std::int64_t cell = index / channels;
        return {cell / (rows * cols) * channels + index % channels, cell / cols % rows, cell % cols};
    }
    return {index / (rows * cols), index / cols % rows, index % cols};
}

std::int64_t ArrayShape::index(const Place& at) const {
    if (at.plane < 0 || at.plane >= planes || at.row < 0 || at.row >= rows || at.col < 0 || at.col >= cols) return -1;
    std::int64_t index = (at.plane * rows + at.row) * cols + at.col;
    if (interleaved) index = ((at.plane / channels * rows + at.row) * cols + at.col) * channels + at.plane % channels;
    return index < most ? index : -1;
}

ArrayShape array_shape(const ArrayFacts& array, const ConvShape& shape, Layout layout, const KernelLaunch& launch) {
    std::optional<ArrayShape> known;
    if (array.space == simt::Space::shared) {
        known = of_threads(array, shape, launch);
        if (!known) known = of_tile(array, shape, launch);
    } else {
        known = of_layer(array, shape, layout);
        if (!known) known = of_format(array, shape);
    }
    return known ? *known : wrapped(array.elements);
}

std::string element_name(const ArrayFacts& array, const ArrayShape& shape, std::int64_t index) {
    if (!shape.indexed_by_cell) return fmt::format("{}[{}]", array.name, index);
    const ArrayShape::Place at = shape.place(index);
    if (shape.planes == 1) return fmt::format("{}[{},{}]", array.name, at.row, at.col);
    return fmt::format("{}[{},{},{},{}]", array.name, at.plane / shape.channels, at.plane % shape.channels, at.row,
                       at.col);
}

}  // namespace convscope
