// ecr0: Xu 2019, Algorithms 1 and 2, line by line as printed, slips included. Not a result: it is here for the checks
// and the reference to catch, and to be looked at. ecr1 is the algorithm that the paper means.
//
// The slips: Algorithm 2 adds to output, which nobody has set to 0; kernel[i + j k_w] reads the filter transposed,
// which the symmetric filter of Fig. 4 hides; ptr is temp + 1 where Fig. 4 has the count. The last one changes no
// result, since Algorithm 2 takes 1 away again: 'to' is taken as in 'i = 0 to k_h', without its end.
//
// With 'zeroed' (ecr0b) output is set to 0 first, so that the others are seen alone.
#pragma once

#include "kernels/simt/dialect.h"
#include "kernels/simt/kernel_shape.h"

namespace convscope::CONVSCOPE_DIALECT {

/// One map, one filter, no padding. Block: q threads; grid: p blocks. Dynamic shared memory: F_data and K_data,
/// blockDim.x segments of k_w k_h elements each, ptr, blockDim.x elements.
template <bool zeroed>
KERNEL ecr0(KernelShape shape, Global<const float> input, Global<const float> kernel, Global<float> output) {
    const int k_w = shape.s, k_h = shape.r, c_s = shape.stride_w, i_w = shape.w;
    const int thread_idx = threadIdx.x, block_idx = blockIdx.x;
    DYNAMIC_SHARED(memory);
    Shared<float> F_data = memory.take<float>(blockDim.x * k_w * k_h);
    Shared<float> K_data = memory.take<float>(blockDim.x * k_w * k_h);
    Shared<int> ptr = memory.take<int>(blockDim.x);
    if (zeroed) output[thread_idx + block_idx * blockDim.x] = 0.0f;

    // Algorithm 1.
    int temp = 0;
    for (int i = 0; i < k_h; ++i) {
        for (int j = 0; j < k_w; ++j) {
            const int offset = block_idx * i_w + thread_idx * c_s + i * i_w + j;
            if (input[offset] != 0.0f) {
                F_data[thread_idx * k_w * k_h + temp] = input[offset];
                K_data[thread_idx * k_w * k_h + temp] = kernel[i + j * k_w];
                temp += 1;
            }
        }
    }
    if (temp != 0)
        ptr[thread_idx] = temp + 1;
    else
        ptr[thread_idx] = -1;

    // Algorithm 2.
    if (ptr[thread_idx] == -1) {
        output[thread_idx + block_idx * blockDim.x] = 0.0f;
    } else {
        for (int i = thread_idx * k_w * k_h; i < thread_idx * k_w * k_h + ptr[thread_idx] - 1; ++i)
            output[thread_idx + block_idx * blockDim.x] += F_data[i] * K_data[i];
    }
}

}  // namespace convscope::CONVSCOPE_DIALECT
