// fused1p: Grisett, Fig. 2, the loading of the tile as printed, in fused1's place. Not a result: it is here for the
// checks to catch and to be looked at. fused1 is what the report means.
//
// The slip: flat_s_mem_idx is thread * i * n where thread + i * n is meant. In the first step all threads write element
// 0, a data race; later ones leave most of the tile unwritten.
#pragma once

#include "kernels/fused/fused_filter.h"
#include "kernels/fused/fused_index.h"
#include "kernels/layers/pooling.h"

namespace convscope::CONVSCOPE_DIALECT {

/// Block and grid as for fused1, with one layer of threads. Shared memory: s_input [tile.height][tile.width].
KERNEL fused1p(KernelShape shape, Global<const float> x, Global<const float> w, Global<float> y) {
    using Tile = DynamicTile<AnySizes>;
    const Tile tile(shape);
    Shared<float> s_input = tile.allocate();
    if (is_surplus_block(shape)) return;
    const FusedThread<AnySizes, Tile> at{shape, shape, tile, output_of_thread(shape), x, w, s_input};
    const int input_global_base_h = at.out.top_row * shape.pool_stride * shape.stride_h - shape.pad_h;
    const int input_global_base_w = at.out.left_column * shape.pool_stride * shape.stride_w - shape.pad_w;
    const int num_threads_loading_2d = blockDim.x * blockDim.y;
    const int elements_to_load = tile.height * tile.width;
    const int loads_per_thread = (elements_to_load + num_threads_loading_2d - 1) / num_threads_loading_2d;

    float max_pool_val = 0.0f;  // the ReLU: nothing below zero can win
    for (int window = 0; window < shape.pool_h * shape.pool_w; ++window) {
        float conv_sum = 0.0f;
        for (int in_c = 0; in_c < shape.c; ++in_c) {
            // Fig. 2.
            for (int i = 0; i < loads_per_thread; ++i) {
                const int flat_s_mem_idx = (threadIdx.y * blockDim.x + threadIdx.x) * i * num_threads_loading_2d;
                if (flat_s_mem_idx < elements_to_load) {
                    const int g_h = input_global_base_h + flat_s_mem_idx / tile.width;
                    const int g_w = input_global_base_w + flat_s_mem_idx % tile.width;
                    float value = 0.0f;
                    if (g_h >= 0 && g_h < shape.h && g_w >= 0 && g_w < shape.w)
                        value =
                            x[PlainIndex::feature_map_idx(at.out.image * shape.c + in_c, g_h, g_w, shape.h, shape.w)];
                    s_input[flat_s_mem_idx] = value;
                }
            }
            __syncthreads();
            const int row = (threadIdx.y * shape.pool_stride + window / shape.pool_w) * shape.stride_h;
            const int column = (threadIdx.x * shape.pool_stride + window % shape.pool_w) * shape.stride_w;
            if (at.out.exists) conv_sum = LoopedFilter<PlainIndex>::add_window(conv_sum, at, in_c, row, column);
            __syncthreads();  // before the next channel overwrites the tile
        }
        max_pool_val = max_or_nan(max_pool_val, conv_sum);
    }
    if (at.out.exists) y[output_idx(shape, at.out)] = max_pool_val;
}

}  // namespace convscope::CONVSCOPE_DIALECT
