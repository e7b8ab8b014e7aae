// pecr2: Xu 2022, Algorithms 3 and 4, Figs. 7 and 8. One thread per convolution window, the threads of one pooling
// window side by side, and a reduction over them. One channel, one filter, any batch.
//
// Each thread reads its own window from global memory, as Algorithm 3 is printed. Section 6.3 also says that maps and
// filters are loaded 'in a coalesced way similar to Fig. 5'; that staging, which ecr2 has, is not in the algorithm and
// not here.
#pragma once

#include "kernels/layers/pooling.h"
#include "kernels/simt/feature_map.h"

namespace convscope::CONVSCOPE_DIALECT {

/// Block: x must be pool_h pool_w, the windows of one pooling window; y pooling windows. Grid: x groups of pooling
/// windows, y images. Dynamic shared memory, B = blockDim.x * blockDim.y: Data and Index, B segments of r s elements
/// each, Count, B ints, conv, B floats.
KERNEL pecr2(KernelShape shape, Global<const float> x, Global<const float> filter, Global<float> y) {
    const int window = shape.r * shape.s;
    const int threads = blockDim.x * blockDim.y;
    DYNAMIC_SHARED(memory);
    Shared<float> Data = memory.take<float>(threads * window);
    Shared<int> Index = memory.take<int>(threads * window);
    Shared<int> Count = memory.take<int>(threads);
    Shared<float> conv = memory.take<float>(threads);

    const int thread = threadIdx.y * blockDim.x + threadIdx.x;
    const int results = shape.out_h * shape.out_w;
    const int result = blockIdx.x * blockDim.y + threadIdx.y;  // pos_out
    const bool active = result < results;

    // Algorithm 3: compress this thread's window.
    const int first = thread * window;
    int count = 0;
    if (active) {
        const int conv_row = result / shape.out_w * shape.pool_stride + threadIdx.x / shape.pool_w;
        const int conv_column = result % shape.out_w * shape.pool_stride + threadIdx.x % shape.pool_w;
        const int map = blockIdx.y * shape.h * shape.w;
        for (int i = 0; i < shape.r; ++i) {
            for (int j = 0; j < shape.s; ++j) {
                const float value = element_or_zero(x, map, shape, conv_row * shape.stride_h - shape.pad_h + i,
                                                    conv_column * shape.stride_w - shape.pad_w + j);
                if (value != 0.0f) {
                    Data[first + count] = value;
                    Index[first + count] = i * shape.s + j;
                    ++count;
                }
            }
        }
    }
    Count[thread] = count;

    // Algorithm 4: the window's SpMV and ReLU, then the maximum over the pooling window. Four elements to a step, so
    // that their loads are on their way together; lanes with windows of different lengths take the steps side by side.
    constexpr int loads = 4;
    const int end = first + count;
    float sum = 0.0f;
    NO_UNROLL for (int i = first; i < end; i += loads) {
        UNROLL for (int j = 0; j < loads; ++j) {
            if (i + j < end) sum = fmaf(Data[i + j], filter[Index[i + j]], sum);
        }
    }
    conv[thread] = relu(sum);
    __syncthreads();
    int remaining = blockDim.x;
    while (remaining > 1) {
        // Halving upwards takes in sizes that are no power of two: the middle one of an odd number waits.
        const int half = (remaining + 1) / 2;
        const int lane = threadIdx.x;
        if (lane + half < remaining) {
            const float mine = conv[thread];
            const float other = conv[thread + half];
            conv[thread] = max_or_nan(mine, other);
        }
        remaining = half;
        __syncthreads();
    }
    if (active && threadIdx.x == 0) y[blockIdx.y * results + result] = conv[thread];
}

}  // namespace convscope::CONVSCOPE_DIALECT
