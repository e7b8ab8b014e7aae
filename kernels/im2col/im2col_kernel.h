// im2col: every window of x as one row of a matrix, for a single matrix product (Cho & Brand 2017, Fig. 1).
#pragma once

#include "kernels/simt/dialect.h"
#include "kernels/simt/kernel_shape.h"

namespace convscope::CONVSCOPE_DIALECT {

/// x is NHWC; matrix is [n p q][r s c], so that reads and writes of adjacent threads are adjacent. Padding is written
/// out as zeros. Block: x along a row of the matrix, y rows. Grid: x groups of rows, strided over when the grid is
/// smaller than their number.
KERNEL im2col_lower(KernelShape shape, Global<const float> x, Global<float> matrix) {
    const int columns = shape.r * shape.s * shape.c;
    const long long rows = static_cast<long long>(shape.n) * shape.p * shape.q;
    const long long step = static_cast<long long>(gridDim.x) * blockDim.y;
    for (long long row = static_cast<long long>(blockIdx.x) * blockDim.y + threadIdx.y; row < rows; row += step) {
        const int window = static_cast<int>(row);
        const int top = window / shape.q % shape.p * shape.stride_h - shape.pad_h;
        const int left = window % shape.q * shape.stride_w - shape.pad_w;
        const int image = window / shape.q / shape.p * shape.h * shape.w * shape.c;
        for (int column = threadIdx.x; column < columns; column += blockDim.x) {
            const int channel = column % shape.c;
            const int h = top + column / shape.c / shape.s;
            const int w = left + column / shape.c % shape.s;
            float value = 0.0f;
            if (h >= 0 && h < shape.h && w >= 0 && w < shape.w)
                value = x[image + (h * shape.w + w) * shape.c + channel];
            matrix[row * columns + column] = value;
        }
    }
}

}  // namespace convscope::CONVSCOPE_DIALECT
