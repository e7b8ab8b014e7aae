// ecr2: Xu 2022, Algorithms 1 and 2 with the coalesced mapping of Fig. 5; the batch in the grid. The block's input
// rows are read from global memory once, by adjacent threads at adjacent addresses; windows are compressed out of
// shared memory. One channel, one filter, any batch.
#pragma once

#include "kernels/simt/feature_map.h"

namespace convscope::CONVSCOPE_DIALECT {

/// Block: x windows along a row, y block rows. Grid: x groups of block rows, y tiles of a row, z images.
/// Dynamic shared memory, in this order, B = blockDim.x * blockDim.y:
///   rows    ((blockDim.y - 1) stride_h + r) x ((blockDim.x - 1) stride_w + s) floats of the input
///   kernel  r s floats
///   F_data, K_data  B segments of r s floats each
///   Ptr     B ints
KERNEL ecr2(KernelShape shape, Global<const float> x, Global<const float> filter, Global<float> y) {
    const int window = shape.r * shape.s;
    const int threads = blockDim.x * blockDim.y;
    const int tile_h = (blockDim.y - 1) * shape.stride_h + shape.r;
    const int tile_w = (blockDim.x - 1) * shape.stride_w + shape.s;
    DYNAMIC_SHARED(memory);
    Shared<float> rows = memory.take<float>(tile_h * tile_w);
    Shared<float> kernel = memory.take<float>(window);
    Shared<float> F_data = memory.take<float>(threads * window);
    Shared<float> K_data = memory.take<float>(threads * window);
    Shared<int> Ptr = memory.take<int>(threads);

    // mapping(thread_idx, data_idx) of Algorithm 1: thread t loads elements t, t + threads, ... of the tile, four to a
    // step, so that their loads are on their way together.
    const int thread = threadIdx.y * blockDim.x + threadIdx.x;
    const int map = blockIdx.z * shape.h * shape.w;
    const int top = blockIdx.x * blockDim.y * shape.stride_h - shape.pad_h;
    const int left = blockIdx.y * blockDim.x * shape.stride_w - shape.pad_w;
    constexpr int loads = 4;
    const int tile = tile_h * tile_w;
    NO_UNROLL for (int i = thread; i < tile; i += loads * threads) {
        float loaded[loads];
        UNROLL for (int load = 0; load < loads; ++load) {
            const int at = i + load * threads;
            float value = 0.0f;
            if (at < tile) value = element_or_zero(x, map, shape, top + at / tile_w, left + at % tile_w);
            loaded[load] = value;
        }
        UNROLL for (int load = 0; load < loads; ++load) {
            const int at = i + load * threads;
            if (at < tile) rows[at] = loaded[load];
        }
    }
    for (int i = thread; i < window; i += threads) kernel[i] = filter[i];
    __syncthreads();

    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    const int column = blockIdx.y * blockDim.x + threadIdx.x;
    if (row >= shape.p || column >= shape.q) return;

    const int first = thread * window;
    const int corner = threadIdx.y * shape.stride_h * tile_w + threadIdx.x * shape.stride_w;
    int count = 0;
    for (int i = 0; i < shape.r; ++i) {
        for (int j = 0; j < shape.s; ++j) {
            const float value = rows[corner + i * tile_w + j];
            if (value != 0.0f) {
                F_data[first + count] = value;
                K_data[first + count] = kernel[i * shape.s + j];
                ++count;
            }
        }
    }
    const int kept = count > 0 ? count : -1;
    Ptr[thread] = kept;

    // Algorithm 2. Lanes with windows of different lengths take its steps side by side.
    float sum = 0.0f;
    if (kept != -1) {
        const int end = first + kept;
        NO_UNROLL for (int i = first; i < end; i += loads) {
            UNROLL for (int j = 0; j < loads; ++j) {
                if (i + j < end) sum = fmaf(F_data[i + j], K_data[i + j], sum);
            }
        }
    }
    y[(blockIdx.z * shape.p + row) * shape.q + column] = sum;
}

}  // namespace convscope::CONVSCOPE_DIALECT
