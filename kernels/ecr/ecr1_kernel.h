// ecr1: Xu 2019, Algorithms 1 and 2, Figs. 4-6. One block per block row (one row of outputs), one thread per window.
// One map, one filter.
#pragma once

#include "kernels/simt/feature_map.h"

namespace convscope::CONVSCOPE_DIALECT {

/// Where a picture of the format goes when a user wants to see it (LayoutBuilder): F_data and K_data
/// [p q][r s], Ptr [p][q], in global memory.
struct EcrExport {
    Global<float> F_data;
    Global<float> K_data;
    Global<int> Ptr;
};

/// Dynamic shared memory: F_data and K_data, blockDim.x segments of r s floats each, then Ptr, blockDim.x ints.
/// Grid: x block rows, y tiles of blockDim.x windows where a row is wider than a block.
template <bool exporting>
KERNEL ecr1(KernelShape shape, Global<const float> x, Global<const float> filter, Global<float> y, EcrExport out) {
    const int window = shape.r * shape.s;
    DYNAMIC_SHARED(memory);
    Shared<float> F_data = memory.take<float>(blockDim.x * window);
    Shared<float> K_data = memory.take<float>(blockDim.x * window);
    Shared<int> Ptr = memory.take<int>(blockDim.x);

    const int thread = threadIdx.x;
    const int row = blockIdx.x;
    const int column = blockIdx.y * blockDim.x + threadIdx.x;
    if (column >= shape.q) return;

    // Algorithm 1: extend and compress this thread's window.
    const int first = thread * window;
    int count = 0;
    for (int i = 0; i < shape.r; ++i) {
        for (int j = 0; j < shape.s; ++j) {
            const float value = element_or_zero(x, 0, shape, row * shape.stride_h - shape.pad_h + i,
                                                column * shape.stride_w - shape.pad_w + j);
            if (value != 0.0f) {
                F_data[first + count] = value;
                K_data[first + count] = filter[i * shape.s + j];
                ++count;
            }
        }
    }
    const int kept = count > 0 ? count : -1;
    Ptr[thread] = kept;

    // Algorithm 2: a window of zeros only needs no multiplication. Four elements to a step, so that their loads are on
    // their way together; lanes with windows of different lengths take the steps side by side.
    float sum = 0.0f;
    if (kept != -1) {
        constexpr int loads = 4;
        const int end = first + kept;
        NO_UNROLL for (int i = first; i < end; i += loads) {
            UNROLL for (int j = 0; j < loads; ++j) {
                if (i + j < end) sum = fmaf(F_data[i + j], K_data[i + j], sum);
            }
        }
    }
    const int output = row * shape.q + column;
    y[output] = sum;

    if constexpr (exporting) {
        for (int i = 0; i < count; ++i) {
            out.F_data[static_cast<long long>(output) * window + i] = F_data[first + i];
            out.K_data[static_cast<long long>(output) * window + i] = K_data[first + i];
        }
        out.Ptr[output] = Ptr[thread];
    }
}

}  // namespace convscope::CONVSCOPE_DIALECT
