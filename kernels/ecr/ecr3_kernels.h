// ecr3: ECR for a whole layer, as both papers describe it in words ('after all the channels are compressed, SpMV
// starts to run'). Every window is compressed once, over all channels, and then used by every filter.
//
// The format in global memory, one segment of c r s slots per window (n, p, q): values and positions (the place of
// each value's weight in a filter); Ptr holds the number of them, -1 for a window of zeros only.
#pragma once

#include "kernels/ecr/compress_window.h"

namespace convscope::CONVSCOPE_DIALECT {

/// One warp per window; block: x a multiple of 32.
KERNEL ecr3_convert(KernelShape shape, Global<const float> x, Global<float> values, Global<int> positions,
                    Global<int> Ptr) {
    const long long windows = static_cast<long long>(shape.n) * shape.p * shape.q;
    const int warps = blockDim.x / 32;
    const long long window = static_cast<long long>(blockIdx.x) * warps + threadIdx.x / 32;
    if (window >= windows) return;  // a whole warp leaves together

    const int image = static_cast<int>(window / (shape.p * shape.q));
    const int output = static_cast<int>(window % (shape.p * shape.q));
    const long long segment = window * shape.c * shape.r * shape.s;
    const int count = compress_window(shape, x, image * shape.c * shape.h * shape.w, output / shape.q * shape.stride_h,
                                      output % shape.q * shape.stride_w, values, positions, segment);
    if (threadIdx.x % 32 == 0) Ptr[window] = count > 0 ? count : -1;
}

/// One thread per window and filter. Block: x filters, y windows; adjacent threads read adjacent weights of
/// 'weights' [c r s][k], and the same value and position. Grid: x groups of windows, strided over when the grid is
/// smaller than their number; y groups of filters.
KERNEL ecr3_multiply(KernelShape shape, Global<const float> values, Global<const int> positions, Global<const int> Ptr,
                     Global<const float> weights, Global<float> y) {
    const int outputs = shape.p * shape.q;
    const long long windows = static_cast<long long>(shape.n) * outputs;
    const int filter = blockIdx.y * blockDim.x + threadIdx.x;
    if (filter >= shape.k) return;

    const long long step = static_cast<long long>(gridDim.x) * blockDim.y;
    for (long long window = static_cast<long long>(blockIdx.x) * blockDim.y + threadIdx.y; window < windows;
         window += step) {
        const long long segment = window * shape.c * shape.r * shape.s;
        const int count = Ptr[window];
        float sum = 0.0f;
        if (count != -1) {
            for (int i = 0; i < count; ++i) {
                const int position = positions[segment + i];
                sum = fmaf(values[segment + i], weights[position * shape.k + filter], sum);
            }
        }
        const int image = static_cast<int>(window / outputs);
        const int output = static_cast<int>(window % outputs);
        y[(image * shape.k + filter) * outputs + output] = sum;
    }
}

}  // namespace convscope::CONVSCOPE_DIALECT
