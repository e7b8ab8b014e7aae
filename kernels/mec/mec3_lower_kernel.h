// mec3's lowering: what mec_lower does, in wide copies whose places are stepped along, not divided for.
#pragma once

#include "kernels/mec/mec_tiling.h"
#include "kernels/simt/dialect.h"
#include "kernels/simt/kernel_shape.h"

namespace convscope::CONVSCOPE_DIALECT {

/// Float is float4 where c is a multiple of four, else float. x is NHWC; L is [n][q][padded_h][s][c]. A strip (n, q) of
/// L is one run of memory, and so is each of its rows in x. Grid: x strips, each 'chunks' blocks long. A thread
/// has several copies under way before it stores the first.
template <class Float>
KERNEL mec3_lower(KernelShape shape, int chunks, Global<const float> x, Global<float> L) {
    constexpr int width = static_cast<int>(sizeof(Float) / sizeof(float));
    const int columns = shape.s * shape.c / width, length = shape.w * shape.c / width;
    const int strip = static_cast<int>(blockIdx.x) / chunks, chunk = static_cast<int>(blockIdx.x) % chunks;
    const int image = strip / shape.q * shape.h;
    const int left = (strip % shape.q * shape.stride_w - shape.pad_w) * shape.c / width;
    const int height = shape.h + 2 * shape.pad_h;
    const long long to = static_cast<long long>(strip) * height * columns;
    const Global<const Float> from = vectors<const Float>(x);
    const Global<Float> lowered = vectors<Float>(L);

    const int count = height * columns, threads = blockDim.x;
    const int first = chunk * threads * mec3_copies_per_thread + static_cast<int>(threadIdx.x);
    const int rows_on = threads / columns, columns_on = threads % columns;
    int row = first / columns, column = first % columns;
    Float value[mec3_copies_per_thread];
    UNROLL
    for (int i = 0; i < mec3_copies_per_thread; ++i) {
        const int h = row - shape.pad_h, place = left + column;
        value[i] = Float{};
        if (h >= 0 && h < shape.h && place >= 0 && place < length)
            value[i] = from[static_cast<long long>(image + h) * length + place];
        row += rows_on;
        column += columns_on;
        if (column >= columns) {
            column -= columns;
            ++row;
        }
    }
    UNROLL
    for (int i = 0; i < mec3_copies_per_thread; ++i)
        if (first + i * threads < count) lowered[to + first + i * threads] = value[i];
}

}  // namespace convscope::CONVSCOPE_DIALECT
