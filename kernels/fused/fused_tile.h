// The shared-memory tile of fused1 to fused4 (the report's Figs. 1 and 2): what a block's outputs read of one input
// channel.
#pragma once

#include "kernels/fused/fused_extent.h"
#include "kernels/fused/fused_output.h"
#include "kernels/fused/fused_sizes.h"

namespace convscope::CONVSCOPE_DIALECT {

/// Static tile: the block's size is compiled in, like the report's BLOCK_DIM_X and BLOCK_DIM_Y.
template <class Sizes, int block_x, int block_y>
struct StaticTile {
    static constexpr int height =
        fused_tile_extent(block_y, Sizes::pool_h, Sizes::pool_stride, Sizes::stride_h, Sizes::r);
    static constexpr int width =
        fused_tile_extent(block_x, Sizes::pool_w, Sizes::pool_stride, Sizes::stride_w, Sizes::s);

    DEVICE explicit StaticTile(const Sizes&) {}
    DEVICE Shared<float> allocate() const {
        SHARED_ARRAY(float, s_input, height* width);
        return s_input;
    }
};

/// Dynamic tile: its size follows from the block's when the kernel runs.
template <class Sizes>
struct DynamicTile {
    int height, width;

    DEVICE explicit DynamicTile(const Sizes& sizes) {
        const int block_x = blockDim.x, block_y = blockDim.y;
        height = fused_tile_extent(block_y, sizes.pool_h, sizes.pool_stride, sizes.stride_h, sizes.r);
        width = fused_tile_extent(block_x, sizes.pool_w, sizes.pool_stride, sizes.stride_w, sizes.s);
    }
    DEVICE Shared<float> allocate() const {
        DYNAMIC_SHARED(memory);
        Shared<float> s_input = memory.take<float>(height * width);
        return s_input;
    }
};

/// State that the parts of fused1 to fused4 share.
template <class Sizes, class Tile>
struct FusedThread {
    const KernelShape& shape;
    const Sizes& sizes;
    const Tile& tile;
    FusedOutput out;
    Global<const float> x, w;
    Shared<float> s_input;  ///< [tile.height][tile.width]
};

/// Fig. 2: fills s_input with channel in_c of the output's image, zeros beyond the map's edges. All threads of the
/// block take part, each with every n-th element: flat = thread + i * n. (Printed as 'thread * i * n', slip 12, which
/// leaves most elements unwritten.) The report counts threads along x and y alone, so that each of the blockDim.z
/// layers writes the whole tile: the same values to the same places, but a data race all the same, and blockDim.z
/// times the loads. Here the layers share the work; with one layer it is the report's (ty * BX + tx) + i * n.
template <class Index, class Sizes, class Tile>
DEVICE void load_tile(const FusedThread<Sizes, Tile>& at, int in_c) {
    const int base_h = at.out.top_row * at.sizes.pool_stride * at.sizes.stride_h - at.shape.pad_h;
    const int base_w = at.out.left_column * at.sizes.pool_stride * at.sizes.stride_w - at.shape.pad_w;
    const int channel = at.out.image * at.shape.c + in_c;
    const int num_threads_loading = blockDim.x * blockDim.y * blockDim.z;
    const int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    const int elements_to_load = at.tile.height * at.tile.width;
    const int loads_per_thread = (elements_to_load + num_threads_loading - 1) / num_threads_loading;
    for (int i = 0; i < loads_per_thread; ++i) {
        const int flat_s_mem_idx = thread + i * num_threads_loading;
        if (flat_s_mem_idx < elements_to_load) {
            const int g_h = base_h + flat_s_mem_idx / at.tile.width;
            const int g_w = base_w + flat_s_mem_idx % at.tile.width;
            float value = 0.0f;
            if (g_h >= 0 && g_h < at.shape.h && g_w >= 0 && g_w < at.shape.w)
                value = at.x[Index::feature_map_idx(channel, g_h, g_w, at.shape.h, at.shape.w)];
            at.s_input[flat_s_mem_idx] = value;
        }
    }
}

}  // namespace convscope::CONVSCOPE_DIALECT
