// Stores tensor1's results. A warp holds the sums of two rows of 8 windows: lane l has column l / 4, and in every
// 8 filters 2 (l % 4) and the next.
#pragma once

#include "kernels/layers/pooling.h"
#include "kernels/simt/kernel_shape.h"
#include "kernels/tensor/tensor1_memory.h"

namespace convscope::CONVSCOPE_DIALECT {

/// Stores two neighbouring filters of an output, of which 'left' exist. even: the number of filters is even.
DEVICE void store_pair(float* to, float first, float second, int left, bool even) {
    if (even) {
        if (left > 0) *reinterpret_cast<float2*>(to) = make_float2(first, second);
    } else {
        if (left > 0) to[0] = first;
        if (left > 1) to[1] = second;
    }
}

/// Stores to y, [n][p][q][k]. row: the warp's first row of windows, in the layer.
template <int Filters>
DEVICE void store_windows(const KernelShape& shape, const float (&sum)[Filters / 2], const Tensor1Place& place, int row,
                          float* y) {
    const int lane = threadIdx.x % 32, q = place.column + lane / 4, filter = place.group * Filters + lane % 4 * 2;
    if (q >= shape.q) return;
    UNROLL
    for (int below = 0; below < 2; ++below) {
        if (row + below >= shape.p) continue;
        float* to =
            y + ((static_cast<long long>(place.image) * shape.p + row + below) * shape.q + q) * shape.k + filter;
        UNROLL
        for (int eight = 0; eight < Filters / 8; ++eight)
            store_pair(to + eight * 8, sum[eight * 4 + below * 2], sum[eight * 4 + below * 2 + 1],
                       shape.k - filter - eight * 8, shape.k % 2 == 0);
    }
}

/// Applies ReLU and 2x2 max-pooling and stores to y, [n][p / 2][q / 2][k]. Two lanes hold a square's columns; each
/// stores every other eight filters.
template <int Filters>
DEVICE void store_squares(const KernelShape& shape, const float (&sum)[Filters / 2], const Tensor1Place& place, int row,
                          float* y) {
    const int lane = threadIdx.x % 32, odd = lane / 4 % 2, filter = place.group * Filters + odd * 8 + lane % 4 * 2;
    const int out_row = row / 2, out_column = (place.column + lane / 4) / 2;
    const bool inside = out_row < shape.out_h && out_column < shape.out_w;
    float* to = y +
                ((static_cast<long long>(place.image) * shape.out_h + out_row) * shape.out_w + out_column) * shape.k +
                filter;
    UNROLL
    for (int eight = 0; eight < Filters / 8; eight += 2) {
        float largest[4];
        UNROLL
        for (int i = 0; i < 4; ++i) {
            const int j = (eight + i / 2) * 4 + i % 2;
            const float own = max_or_nan(max_or_nan(0.0f, sum[j]), sum[j + 2]);
            largest[i] = max_or_nan(own, __shfl_xor_sync(0xffffffffu, own, 4));
        }
        if (inside)
            store_pair(to + eight * 8, odd ? largest[2] : largest[0], odd ? largest[3] : largest[1],
                       shape.k - filter - eight * 8, shape.k % 2 == 0);
    }
}

}  // namespace convscope::CONVSCOPE_DIALECT
