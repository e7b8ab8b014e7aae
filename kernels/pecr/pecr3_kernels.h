// pecr3: PECR for a whole layer. Every window of every pooling window is compressed once, over all channels, and then
// used by every filter; ReLU and pooling happen in registers.
//
// The format in global memory: pooling windows (n, out_h, out_w), pool_h pool_w windows in each, a segment of c r s
// slots per window in values and positions, and their number in Count. Windows that several pooling windows share are
// stored in each of them (Fig. 7).
#pragma once

#include "kernels/ecr/compress_window.h"
#include "kernels/layers/pooling.h"

namespace convscope::CONVSCOPE_DIALECT {

/// One warp per window; block: x a multiple of 32.
KERNEL pecr3_convert(KernelShape shape, Global<const float> x, Global<float> values, Global<int> positions,
                     Global<int> Count) {
    const int results = shape.out_h * shape.out_w;
    const int windows = shape.pool_h * shape.pool_w;
    const int warps = blockDim.x / 32;
    const long long slot = static_cast<long long>(blockIdx.x) * warps + threadIdx.x / 32;
    if (slot >= static_cast<long long>(shape.n) * results * windows) return;  // a whole warp leaves together

    const int pooling_window = static_cast<int>(slot / windows);
    const int window = static_cast<int>(slot % windows);
    const int image = pooling_window / results;
    const int result = pooling_window % results;
    const int conv_row = result / shape.out_w * shape.pool_stride + window / shape.pool_w;
    const int conv_column = result % shape.out_w * shape.pool_stride + window % shape.pool_w;
    const int count =
        compress_window(shape, x, image * shape.c * shape.h * shape.w, conv_row * shape.stride_h,
                        conv_column * shape.stride_w, values, positions, slot * shape.c * shape.r * shape.s);
    if (threadIdx.x % 32 == 0) Count[slot] = count;
}

/// Block: x filters, y pooling windows, z threads that share the windows of one pooling window; adjacent threads read
/// adjacent weights of 'weights' [c r s][k]. Grid: x groups of pooling windows, strided over when the grid is smaller
/// than their number; y groups of filters. Dynamic shared memory: conv, one float per thread.
KERNEL pecr3_multiply(KernelShape shape, Global<const float> values, Global<const int> positions,
                      Global<const int> Count, Global<const float> weights, Global<float> y) {
    const int results = shape.out_h * shape.out_w;
    const int windows = shape.pool_h * shape.pool_w;
    const long long pooling_windows = static_cast<long long>(shape.n) * results;
    const long long capacity = static_cast<long long>(shape.c) * shape.r * shape.s;
    const int filter = blockIdx.y * blockDim.x + threadIdx.x;
    const int lane = threadIdx.y * blockDim.x + threadIdx.x;  // the same for all z that share a pooling window
    const int lanes = blockDim.x * blockDim.y;
    DYNAMIC_SHARED(memory);
    Shared<float> conv = memory.take<float>(lanes * blockDim.z);

    const long long step = static_cast<long long>(gridDim.x) * blockDim.y;
    for (long long first = static_cast<long long>(blockIdx.x) * blockDim.y; first < pooling_windows; first += step) {
        const long long pooling_window = first + threadIdx.y;
        const bool active = filter < shape.k && pooling_window < pooling_windows;
        float most = 0.0f;  // the ReLU: nothing below zero can win
        for (int window = threadIdx.z; active && window < windows; window += blockDim.z) {
            const long long slot = pooling_window * windows + window;
            const long long segment = slot * capacity;
            const int count = Count[slot];
            float sum = 0.0f;
            for (int i = 0; i < count; ++i) {
                const int position = positions[segment + i];
                sum = fmaf(values[segment + i], weights[position * shape.k + filter], sum);
            }
            most = max_or_nan(most, sum);
        }
        conv[threadIdx.z * lanes + lane] = most;
        __syncthreads();
        if (active && threadIdx.z == 0) {
            for (int z = 1; z < static_cast<int>(blockDim.z); ++z) {
                const float other = conv[z * lanes + lane];
                most = max_or_nan(most, other);
            }
            const int image = static_cast<int>(pooling_window / results);
            const int result = static_cast<int>(pooling_window % results);
            y[(image * shape.k + filter) * results + result] = most;
        }
        __syncthreads();
    }
}

}  // namespace convscope::CONVSCOPE_DIALECT
