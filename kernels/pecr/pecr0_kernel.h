// pecr0: Xu 2019, Algorithms 3 and 4, line by line as printed, slips included. Not a result: it races, and is here for
// the checks to catch and for people to look at. pecr1 is the algorithm that the paper means.
//
// The slips: every thread of a block writes Data, Index, count and Output from the same start; an element's place in
// the filter is i j + i instead of i k_w + j; a window's column is n % p_h instead of n % p_w; blocks are c_s rows
// apart instead of c_s p_s; temp goes on only past windows that held the maximum; all blocks write the same maxvalue.
//
// With 'apart' (pecr0b) each thread has arrays of its own and each block its own part of maxvalue, so that nothing
// races and the slips in the indices are seen alone.
#pragma once

#include "kernels/simt/dialect.h"
#include "kernels/simt/kernel_shape.h"

namespace convscope::CONVSCOPE_DIALECT {

/// One map, one filter, no padding. Block: out_w threads; grid: out_h blocks. Dynamic shared memory, once or for each
/// thread: Data and Index, p_w p_h k_w k_h elements each, count and Output, p_w p_h elements each.
template <bool apart>
KERNEL pecr0(KernelShape shape, Global<const float> Input, Global<const float> Kernel, Global<float> maxvalue) {
    const int p_w = shape.pool_w, p_h = shape.pool_h, p_s = shape.pool_stride;
    const int k_w = shape.s, k_h = shape.r, c_s = shape.stride_w, i_w = shape.w;
    const int thread_idx = threadIdx.x, block_idx = blockIdx.x;
    DYNAMIC_SHARED(memory);
    const int segments = apart ? blockDim.x : 1, segment = apart ? thread_idx : 0;
    const int windows = p_w * p_h, elements = windows * k_w * k_h;
    Shared<float> Data = memory.take<float>(segments * elements) + segment * elements;
    Shared<int> Index = memory.take<int>(segments * elements) + segment * elements;
    Shared<int> count = memory.take<int>(segments * windows) + segment * windows;
    Shared<float> Output = memory.take<float>(segments * windows) + segment * windows;
    if (apart) maxvalue = maxvalue + block_idx * blockDim.x;

    // Algorithm 3.
    const int start = thread_idx * c_s * p_s + i_w * (block_idx * c_s);
    int cnt = 0;
    for (int n = 0; n < p_w * p_h; ++n) {
        int num = 0;
        const int n_start = n / p_w * c_s * i_w + n % p_h * c_s;
        for (int i = 0; i < k_w; ++i) {
            for (int j = 0; j < k_h; ++j) {
                const int offset = start + n_start + i * i_w + j;
                if (Input[offset] != 0.0f) {
                    Data[cnt] = Input[offset];
                    Index[cnt] = i * j + i;
                    cnt += 1;
                    num += 1;
                }
            }
        }
        count[n] = num;
    }

    // Algorithm 4.
    int temp = 0;
    float max = 0.0f;
    for (int i = 0; i < p_w * p_h; ++i) {
        Output[i] = 0.0f;
        for (int n = temp; n < temp + count[i]; ++n) Output[i] = fmaf(Data[n], Kernel[Index[n]], Output[i]);
        if (max < Output[i]) {
            max = Output[i];
            temp += count[i];
        }
        maxvalue[thread_idx] = max;
    }
}

}  // namespace convscope::CONVSCOPE_DIALECT
