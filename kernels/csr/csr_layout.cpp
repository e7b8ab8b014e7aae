#include "kernels/csr/csr_layout.h"

#include <algorithm>

#include "kernels/core/parallel.h"
#include "kernels/im2col/im2col_layout.h"

namespace convscope {

void compress_csr(std::int64_t rows, std::int64_t row_length, const float* matrix, std::int32_t* row_offsets,
                  std::int32_t* columns, float* values) {
    const bool threads = worth_threads(rows * row_length);
    row_offsets[0] = 0;
#pragma omp parallel for if (threads)
    for (std::int64_t row = 0; row < rows; ++row) {
        const float* from = matrix + row * row_length;
        row_offsets[row + 1] = static_cast<std::int32_t>(row_length - std::count(from, from + row_length, 0.0f));
    }
    for (std::int64_t row = 0; row < rows; ++row) row_offsets[row + 1] += row_offsets[row];
#pragma omp parallel for if (threads)
    for (std::int64_t row = 0; row < rows; ++row) {
        const float* from = matrix + row * row_length;
        std::int32_t at = row_offsets[row];
        for (std::int64_t column = 0; column < row_length; ++column) {
            if (from[column] == 0.0f) continue;
            columns[at] = static_cast<std::int32_t>(column);
            values[at++] = from[column];
        }
    }
}

CsrLayout make_csr_layout(const ConvShape& shape, const Tensor& x) {
    const Im2colLayout extended = make_im2col_layout(shape, x);
    CsrLayout layout{shape, {}, {}, {}};
    layout.row_offsets.resize(static_cast<std::size_t>(extended.rows() + 1));
    layout.columns.resize(extended.matrix.size());
    layout.values.resize(extended.matrix.size());
    compress_csr(extended.rows(), extended.cols(), extended.matrix.data(), layout.row_offsets.data(),
                 layout.columns.data(), layout.values.data());
    layout.columns.resize(static_cast<std::size_t>(layout.row_offsets.back()));
    layout.values.resize(layout.columns.size());
    return layout;
}

}  // namespace convscope
