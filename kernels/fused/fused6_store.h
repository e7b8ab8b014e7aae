// Stores fused6's results to y, NHWC. A warp holds the sums of two rows of 8 outputs of the convolution: lane l has
// column l / 4, and in every 8 filters 2 (l % 4) and the next.
#pragma once

#include "kernels/layers/pooling.h"
#include "kernels/simt/dialect.h"
#include "kernels/simt/kernel_shape.h"

namespace convscope::CONVSCOPE_DIALECT {

/// Applies ReLU and 2x2 pooling to a warp's sums: row 'row' of the convolution and the next, 8 columns from 'column'
/// on. Every lane gets all of its filters' results of its 2x2 window, and writes those of every other eight.
template <int Filters>
DEVICE void store_pooled(const KernelShape& shape, const float (&sum)[Filters / 2], int image, int row, int column,
                         int first_filter, float* y) {
    const int lane = threadIdx.x % 32, odd = lane / 4 % 2;
    const int out_row = row / 2, out_column = (column + lane / 4) / 2;
    const bool inside = out_row < shape.out_h && out_column < shape.out_w;
    const long long pixel = (static_cast<long long>(image) * shape.out_h + out_row) * shape.out_w + out_column;
    UNROLL
    for (int eight = 0; eight < Filters / 8; eight += 2) {
        float largest[4];
        UNROLL
        for (int i = 0; i < 4; ++i) {
            const int j = (eight + i / 2) * 4 + i % 2;
            const float own = max_or_nan(max_or_nan(0.0f, sum[j]), sum[j + 2]);
            largest[i] = max_or_nan(own, __shfl_xor_sync(0xffffffffu, own, 4));
        }
        const int filter = first_filter + (eight + odd) * 8 + lane % 4 * 2;
        if (!inside) continue;
        if (filter < shape.k) y[pixel * shape.k + filter] = odd ? largest[2] : largest[0];
        if (filter + 1 < shape.k) y[pixel * shape.k + filter + 1] = odd ? largest[3] : largest[1];
    }
}

/// Stores a warp's sums without pooling and without ReLU.
template <int Filters>
DEVICE void store_unpooled(const KernelShape& shape, const float (&sum)[Filters / 2], int image, int row, int column,
                           int first_filter, float* y) {
    const int lane = threadIdx.x % 32, q = column + lane / 4;
    UNROLL
    for (int j = 0; j < Filters / 2; ++j) {
        const int p = row + j / 2 % 2, filter = first_filter + j / 4 * 8 + lane % 4 * 2 + j % 2;
        if (p < shape.p && q < shape.q && filter < shape.k)
            y[((static_cast<long long>(image) * shape.p + p) * shape.q + q) * shape.k + filter] = sum[j];
    }
}

}  // namespace convscope::CONVSCOPE_DIALECT
