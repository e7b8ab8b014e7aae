// The im2col matrix: every window of x laid out as one row.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/core/tensor.h"
#include "kernels/layers/conv_shape.h"

namespace convscope {

/// matrix is [n p q][r s c]: row (n, p, q) holds the window of that output, columns in the order (r, s, c).
/// Padding is written out as zeros.
struct Im2colLayout {
    ConvShape shape;
    std::vector<float> matrix;
    std::int64_t rows() const { return shape.n * shape.p() * shape.q(); }
    std::int64_t cols() const { return shape.reduction(); }
};

Im2colLayout make_im2col_layout(const ConvShape&, const Tensor& x);

/// The same into memory of the caller's; x is NHWC. In parallel over rows.
void lower_im2col(const ConvShape&, const float* x, float* matrix);

}  // namespace convscope
