// MEC's kernels: the compact lowering, and Solution A's rearrangement of the output (Cho & Brand 2017, Algorithm 2).
#pragma once

#include "kernels/simt/dialect.h"
#include "kernels/simt/kernel_shape.h"

namespace convscope::CONVSCOPE_DIALECT {

/// Lines 4-6: L[n, q, h, 0:s, 0:c] = I[n, h, q stride_w : q stride_w + s, 0:c]. x is NHWC, so both sides of each copy
/// are s c adjacent floats; padding is written out as zeros. Block: x along such a copy, y copies. Grid: x groups of
/// copies (n, q, padded row), strided over when the grid is smaller than their number.
KERNEL mec_lower(KernelShape shape, Global<const float> x, Global<float> L) {
    const int columns = shape.s * shape.c;
    const int padded_h = shape.h + 2 * shape.pad_h;
    const long long rows = static_cast<long long>(shape.n) * shape.q * padded_h;
    const long long step = static_cast<long long>(gridDim.x) * blockDim.y;
    for (long long row = static_cast<long long>(blockIdx.x) * blockDim.y + threadIdx.y; row < rows; row += step) {
        const int strip = static_cast<int>(row / padded_h);  // (n, q)
        const int h = static_cast<int>(row % padded_h) - shape.pad_h;
        const int left = strip % shape.q * shape.stride_w - shape.pad_w;
        const int image = strip / shape.q;
        const bool row_inside = h >= 0 && h < shape.h;
        for (int column = threadIdx.x; column < columns; column += blockDim.x) {
            const int w = left + column / shape.c;
            float value = 0.0f;
            if (row_inside && w >= 0 && w < shape.w)
                value = x[((image * shape.h + h) * shape.w + w) * shape.c + column % shape.c];
            L[row * columns + column] = value;
        }
    }
}

/// Line 14: Copy L = O. One thread per element.
KERNEL mec_copy(Global<const float> O, Global<float> L, long long elements) {
    const long long place = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (place < elements) L[place] = O[place];
}

/// Lines 15-19: O[n, h, 0 : q k] = L[h, n, 0 : q k]. One thread per element of O.
KERNEL mec_permute(KernelShape shape, Global<const float> L, Global<float> O) {
    const long long place = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    const int length = shape.q * shape.k;
    if (place >= static_cast<long long>(shape.n) * shape.p * length) return;
    const int row = static_cast<int>(place / length);
    const int image = row / shape.p;
    const int h = row % shape.p;
    O[place] = L[(static_cast<long long>(h) * shape.n + image) * length + place % length];
}

}  // namespace convscope::CONVSCOPE_DIALECT
