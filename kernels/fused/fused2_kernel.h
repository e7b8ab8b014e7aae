// fused2: Grisett, 'V1 + MaxPool unrolling (V2)', Figs. 3 and 4. Against fused1: the loops over the 2 x 2 windows are
// written out, in the convolution and in the maximum. The four sums become four variables, which no index can keep from
// being registers, and there is no loop to count. All four windows stand in one stretch of code, so that the compiler
// reads an element that several of them share once: 36 elements and 25 weights for 100 multiply-adds.
//
// The report measured 1679 GFLOP/s on a T4, 1.06 times fused1.
#pragma once

#include "kernels/fused/fused_filter.h"
#include "kernels/fused/fused_index.h"
#include "kernels/layers/pooling.h"

namespace convscope::CONVSCOPE_DIALECT {

/// The body of fused2, and with other helpers of fused3 and fused4. Index: the index helpers; Filter: how one channel
/// of one window is multiplied. A pooling window larger than 2 x 2 is covered by 2 x 2 parts, as in fused1; a part at
/// its edge may be only one window wide or high.
template <class Index, class Filter, class Sizes, class Tile>
DEVICE void straight_line_pooling(const KernelShape& shape, Global<const float> x, Global<const float> w,
                                  Global<float> y) {
    const Sizes sizes(shape);
    const Tile tile(sizes);
    Shared<float> s_input = tile.allocate();
    if (is_surplus_block(shape)) return;
    const FusedThread<Sizes, Tile> at{shape, sizes, tile, output_of_thread(shape), x, w, s_input};
    const int tx = threadIdx.x, ty = threadIdx.y;

    float max_pool_val = 0.0f;
    for (int top = 0; top < sizes.pool_h; top += 2) {
        for (int left = 0; left < sizes.pool_w; left += 2) {
            const bool below = top + 1 < sizes.pool_h, right = left + 1 < sizes.pool_w;
            const int h_0 = (ty * sizes.pool_stride + top) * sizes.stride_h, h_1 = h_0 + sizes.stride_h;
            const int w_0 = (tx * sizes.pool_stride + left) * sizes.stride_w, w_1 = w_0 + sizes.stride_w;
            float conv_sum_00 = 0.0f, conv_sum_01 = 0.0f, conv_sum_10 = 0.0f, conv_sum_11 = 0.0f;
            for (int in_c = 0; in_c < shape.c; ++in_c) {
                load_tile<Index>(at, in_c);
                __syncthreads();
                if (at.out.exists) {
                    conv_sum_00 = Filter::add_window(conv_sum_00, at, in_c, h_0, w_0);
                    if (right) conv_sum_01 = Filter::add_window(conv_sum_01, at, in_c, h_0, w_1);
                    if (below) conv_sum_10 = Filter::add_window(conv_sum_10, at, in_c, h_1, w_0);
                    if (below && right) conv_sum_11 = Filter::add_window(conv_sum_11, at, in_c, h_1, w_1);
                }
                __syncthreads();
            }
            // Fig. 4. The sum of a window that the part does not have is zero still, and cannot win.
            max_pool_val = max_or_nan(max_pool_val, relu(conv_sum_00));
            max_pool_val = max_or_nan(max_pool_val, relu(conv_sum_01));
            max_pool_val = max_or_nan(max_pool_val, relu(conv_sum_10));
            max_pool_val = max_or_nan(max_pool_val, relu(conv_sum_11));
        }
    }
    if (at.out.exists) y[output_idx(shape, at.out)] = max_pool_val;
}

/// Block, grid and shared memory as for fused1.
template <class Sizes, class Tile>
LAUNCH_BOUNDS(1024)
KERNEL fused2(KernelShape shape, Global<const float> x, Global<const float> w, Global<float> y) {
    straight_line_pooling<PlainIndex, LoopedFilter<PlainIndex>, Sizes, Tile>(shape, x, w, y);
}

}  // namespace convscope::CONVSCOPE_DIALECT
