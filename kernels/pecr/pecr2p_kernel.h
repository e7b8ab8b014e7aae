// pecr2p: Xu 2022, Algorithm 4, line by line as printed but for one barrier, after Algorithm 3 as pecr2 has it. Not a
// result: it races, and is here for the checks to catch and to be looked at. pecr2 is the algorithm that the paper
// means.
//
// Line 4 has a reduce_stride that is never defined; it is taken for what line 9 calls restride, with the value that the
// loop begins with, blockDim.x / 2. The slips: who takes part is settled once, before the loop, so that the later steps
// take in windows that they should not; no barrier keeps a step's writes from the reads of the next; the maximum is
// taken of sums that ReLU has not seen; an odd restride leaves a window out. The barrier before the loop is ours:
// without it the first step reads sums that nobody has written.
#pragma once

#include "kernels/layers/pooling.h"
#include "kernels/simt/dialect.h"
#include "kernels/simt/kernel_shape.h"

namespace convscope::CONVSCOPE_DIALECT {

/// One map, one filter, no padding. Block: x the windows of one pooling window, y pooling windows. Grid: x groups of
/// pooling windows. Dynamic shared memory, B = blockDim.x * blockDim.y: data and Index, B segments of k_w k_h elements
/// each, count and conv, B elements each.
KERNEL pecr2p(KernelShape shape, Global<const float> input, Global<const float> kernel, Global<float> output) {
    const int window = shape.r * shape.s;
    const int threads = blockDim.x * blockDim.y;
    DYNAMIC_SHARED(memory);
    Shared<float> data = memory.take<float>(threads * window);
    Shared<int> Index = memory.take<int>(threads * window);
    Shared<int> count = memory.take<int>(threads);
    Shared<float> conv = memory.take<float>(threads);

    const int tid = threadIdx.y * blockDim.x + threadIdx.x;
    const int pos_out = threadIdx.y + blockIdx.x * blockDim.y;
    const bool exists = pos_out < shape.out_h * shape.out_w;
    const int pos = tid * window;

    // Algorithm 3, as it is meant.
    int kept = 0;
    if (exists) {
        const int row = (pos_out / shape.out_w * shape.pool_stride + threadIdx.x / shape.pool_w) * shape.stride_h;
        const int column = (pos_out % shape.out_w * shape.pool_stride + threadIdx.x % shape.pool_w) * shape.stride_w;
        for (int i = 0; i < shape.r; ++i) {
            for (int j = 0; j < shape.s; ++j) {
                const float value = input[(row + i) * shape.w + column + j];
                if (value != 0.0f) {
                    data[pos + kept] = value;
                    Index[pos + kept] = i * shape.s + j;
                    kept += 1;
                }
            }
        }
    }
    count[tid] = kept;

    // Algorithm 4, as printed.
    float temp = 0.0f;
    const int reduce_stride = blockDim.x / 2;
    const int reduce_id = reduce_stride + threadIdx.y * blockDim.x;
    for (int i = pos; i < pos + count[tid]; ++i) temp += data[i] * kernel[Index[i]];
    conv[tid] = temp;
    __syncthreads();
    for (int restride = blockDim.x / 2; restride > 0; restride >>= 1) {
        if (tid < reduce_id) {
            const float mine = conv[tid];
            const float other = conv[tid + restride];
            conv[tid] = max_or_nan(mine, other);
        }
    }
    const float most = conv[threadIdx.y * blockDim.x];
    if (exists) output[pos_out] = most;
}

}  // namespace convscope::CONVSCOPE_DIALECT
