#include "kernels/layers/format_matrix.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/core/error.h"

namespace convscope {

const char* to_string(MatrixOf of) {
    constexpr const char* names[] = {"x", "im2col", "w"};
    return names[static_cast<std::size_t>(of)];
}

MatrixOf parse_matrix_of(const std::string& text) {
    for (const MatrixOf of : all_matrices)
        if (text == to_string(of)) return of;
    throw Error(ErrorKind::usage, fmt::format("'{}' is not a matrix of a layer; accepted are x, im2col, w", text));
}

std::string matrix_axes(MatrixOf of, bool batch) {
    if (of == MatrixOf::x) return batch ? "(n c h) \u00d7 w" : "(c h) \u00d7 w";
    if (of == MatrixOf::im2col) return batch ? "(c r s) \u00d7 (n p q)" : "(c r s) \u00d7 (p q)";
    return "k \u00d7 (c r s)";
}

MatrixSize matrix_size(MatrixOf of, const ConvShape& shape, bool one_image) {
    const std::int64_t images = one_image ? 1 : shape.n;
    if (of == MatrixOf::x) return {images * shape.c * shape.h, shape.w};
    if (of == MatrixOf::im2col) return {shape.c * shape.window(), images * shape.p() * shape.q()};
    return {shape.k, shape.reduction()};
}

namespace {

/// Elements of a matrix of the layer: (row, col) -> float.
auto elements_of(MatrixOf of, const Workload& workload, std::optional<std::int64_t> image) {
    const ConvShape& shape = workload.spec.shape;
    const std::int64_t cols = matrix_size(of, shape, image.has_value()).cols;
    const std::int64_t first = image.value_or(0), map = shape.h * shape.w, window = shape.window();
    return [=, &shape, &workload](std::int64_t row, std::int64_t col) -> float {
        if (of == MatrixOf::w) return workload.w.data[static_cast<std::size_t>(row * cols + col)];
        if (of == MatrixOf::x)
            return workload.x.data[static_cast<std::size_t>(first * shape.c * map + row * shape.w + col)];
        const std::int64_t outputs = shape.p() * shape.q(), output = col % outputs;
        const std::int64_t channel = row / window, i = row % window / shape.s, j = row % shape.s;
        const std::int64_t h = shape.x_row(output / shape.q(), i), w = shape.x_col(output % shape.q(), j);
        if (h < 0 || h >= shape.h || w < 0 || w >= shape.w) return 0;
        const std::int64_t n = first + col / outputs;
        return workload.x.data[static_cast<std::size_t>(((n * shape.c + channel) * shape.h + h) * shape.w + w)];
    };
}

}  // namespace

FormatMatrix make_matrix(MatrixOf of, const Workload& workload, std::optional<std::int64_t> image, MatrixSize at_most) {
    const MatrixSize whole = matrix_size(of, workload.spec.shape, image.has_value());
    FormatMatrix matrix{std::min(whole.rows, at_most.rows), std::min(whole.cols, at_most.cols), {}};
    matrix.values.resize(static_cast<std::size_t>(matrix.rows * matrix.cols));
    const auto value = elements_of(of, workload, image);
    for (std::int64_t row = 0; row < matrix.rows; ++row)
        for (std::int64_t col = 0; col < matrix.cols; ++col)
            matrix.values[static_cast<std::size_t>(row * matrix.cols + col)] = value(row, col);
    return matrix;
}

NonZeros find_non_zeros(MatrixOf of, const Workload& workload, std::optional<std::int64_t> image,
                        const std::stop_token& stop) {
    const MatrixSize size = matrix_size(of, workload.spec.shape, image.has_value());
    NonZeros found(size.rows, size.cols);
    const auto value = elements_of(of, workload, image);
    for (std::int64_t row = 0; row < size.rows && !stop.stop_requested(); ++row)
        for (std::int64_t col = 0; col < size.cols; ++col) found.put(row, col, value(row, col) != 0);
    return found;
}

}  // namespace convscope
