// fused1: Grisett, 'Shared-memory tiling (V1)'. Against fused0: the block's threads load what their outputs read of one
// input channel into shared memory, together, then take every window from there. A tile element is read once from
// global memory and used up to r s times by each of blockDim.z filters.
//
// So that one tile serves all windows of a pooling window, their sums are kept side by side and the loop over channels
// moves to the outside. They are kept for 2 x 2 windows, the report's pooling; a larger pooling window is covered by
// 2 x 2 parts, one pass over the channels for each.
//
// The report measured 1577 GFLOP/s on a T4, 4.5 times fused0. What it leaves to fused2: nvcc 13 unrolls the 5x5 filter
// but not the loops around it, so conv_sum is an array with an index that varies, in local memory.
#pragma once

#include "kernels/fused/fused_filter.h"
#include "kernels/fused/fused_index.h"
#include "kernels/layers/pooling.h"

namespace convscope::CONVSCOPE_DIALECT {

/// Block and grid as for fused0. Shared memory: s_input [tile.height][tile.width].
template <class Sizes, class Tile>
LAUNCH_BOUNDS(1024)
KERNEL fused1(KernelShape shape, Global<const float> x, Global<const float> w, Global<float> y) {
    const Sizes sizes(shape);
    const Tile tile(sizes);
    Shared<float> s_input = tile.allocate();
    if (is_surplus_block(shape)) return;
    const FusedThread<Sizes, Tile> at{shape, sizes, tile, output_of_thread(shape), x, w, s_input};
    const int tx = threadIdx.x, ty = threadIdx.y;

    float max_pool_val = 0.0f;  // the ReLU: nothing below zero can win
    for (int top = 0; top < sizes.pool_h; top += 2) {
        for (int left = 0; left < sizes.pool_w; left += 2) {
            const int rows = min(2, sizes.pool_h - top), columns = min(2, sizes.pool_w - left);
            float conv_sum[2][2] = {{0.0f, 0.0f}, {0.0f, 0.0f}};
            for (int in_c = 0; in_c < shape.c; ++in_c) {
                load_tile<PlainIndex>(at, in_c);
                __syncthreads();
                if (at.out.exists) {
                    for (int ph = 0; ph < rows; ++ph) {
                        for (int pw = 0; pw < columns; ++pw) {
                            const int local_conv_h = (ty * sizes.pool_stride + top + ph) * sizes.stride_h;
                            const int local_conv_w = (tx * sizes.pool_stride + left + pw) * sizes.stride_w;
                            conv_sum[ph][pw] = LoopedFilter<PlainIndex>::add_window(conv_sum[ph][pw], at, in_c,
                                                                                    local_conv_h, local_conv_w);
                        }
                    }
                }
                __syncthreads();  // before the next channel overwrites the tile
            }
            for (int ph = 0; ph < rows; ++ph)
                for (int pw = 0; pw < columns; ++pw) max_pool_val = max_or_nan(max_pool_val, conv_sum[ph][pw]);
        }
    }
    if (at.out.exists) y[output_idx(shape, at.out)] = max_pool_val;
}

}  // namespace convscope::CONVSCOPE_DIALECT
