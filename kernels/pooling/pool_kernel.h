// ReLU and max-pooling as a stage of its own, after the methods that do not fuse it.
#pragma once

#include "kernels/layers/pooling.h"
#include "kernels/simt/dialect.h"
#include "kernels/simt/kernel_shape.h"

namespace convscope::CONVSCOPE_DIALECT {

/// One thread per element of y, in y's order, so that stores are coalesced. conv and y are NCHW, or NHWC.
template <bool channels_last>
KERNEL relu_max_pool(KernelShape shape, Global<const float> conv, Global<float> y) {
    const long long elements = static_cast<long long>(shape.n) * shape.k * shape.out_h * shape.out_w;
    const long long place = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (place >= elements) return;

    // The element's indices, and how far apart neighbours in a window are.
    int rest = static_cast<int>(place);
    int filter = 0;
    if constexpr (channels_last) {
        filter = rest % shape.k;
        rest /= shape.k;
    }
    const int column = rest % shape.out_w;
    rest /= shape.out_w;
    const int row = rest % shape.out_h;
    rest /= shape.out_h;
    if constexpr (!channels_last) {
        filter = rest % shape.k;
        rest /= shape.k;
    }
    const int image = rest;
    const int next_column = channels_last ? shape.k : 1;
    const int next_row = shape.q * next_column;
    const int map =
        channels_last ? image * shape.p * next_row + filter : (image * shape.k + filter) * shape.p * shape.q;
    const int corner = map + row * shape.pool_stride * next_row + column * shape.pool_stride * next_column;

    float most = 0.0f;  // the ReLU: nothing below zero can win
    for (int i = 0; i < shape.pool_h; ++i) {
        for (int j = 0; j < shape.pool_w; ++j) {
            const float value = conv[corner + i * next_row + j * next_column];
            most = max_or_nan(most, value);
        }
    }
    y[place] = most;
}

}  // namespace convscope::CONVSCOPE_DIALECT
