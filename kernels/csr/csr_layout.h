// The extended map in compressed sparse rows: the format that Xu 2022 hand to cuSPARSE.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/core/tensor.h"
#include "kernels/layers/conv_shape.h"

namespace convscope {

/// The non-zero elements of the im2col matrix [n p q][r s c], row after row. Row i's are values and columns
/// [row_offsets[i], row_offsets[i + 1]), columns ascending.
struct CsrLayout {
    ConvShape shape;
    std::vector<std::int32_t> row_offsets;  ///< n p q + 1
    std::vector<std::int32_t> columns;
    std::vector<float> values;
};

CsrLayout make_csr_layout(const ConvShape&, const Tensor& x);

/// Compresses a dense row-major matrix. 'columns' and 'values' have room for every element, 'row_offsets' for rows + 1;
/// there are fewer than 2^31 non-zeros. In parallel over rows.
void compress_csr(std::int64_t rows, std::int64_t row_length, const float* matrix, std::int32_t* row_offsets,
                  std::int32_t* columns, float* values);

}  // namespace convscope
