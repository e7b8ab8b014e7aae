// Filters stored so that threads with adjacent filters read adjacent weights: what a framework does once per layer.
#pragma once

#include "kernels/simt/dialect.h"
#include "kernels/simt/kernel_shape.h"

namespace convscope::CONVSCOPE_DIALECT {

/// w is [k][c][r][s]; prepared is [c][r][s][k], or [r][s][c][k] with channels_last, rows of k weights 'leading'
/// elements apart. One thread per weight.
KERNEL transpose_weights_kernel(KernelShape shape, Global<const float> w, Global<float> prepared, bool channels_last,
                                int leading) {
    const int window = shape.r * shape.s;
    const int elements = shape.k * shape.c * window;
    const long long place = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (place >= elements) return;
    const int filter = static_cast<int>(place % shape.k);
    const int row = static_cast<int>(place / shape.k);
    const int channel = channels_last ? row % shape.c : row / window;
    const int tap = channels_last ? row / shape.c : row % window;
    prepared[static_cast<long long>(row) * leading + filter] = w[(filter * shape.c + channel) * window + tap];
}

}  // namespace convscope::CONVSCOPE_DIALECT
