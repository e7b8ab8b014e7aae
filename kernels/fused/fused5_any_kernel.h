// fused5 for layers whose sizes are not compiled in: any filter, stride and pooling window. The idea is fused5's, 8
// filters of 8 windows in a thread's registers, without its vectors and its copies behind the arithmetic: what a thread
// reads lies wherever the strides put it.
//
// A patch is 2 x 2 windows of each of two neighbouring pooled outputs. A pooling window larger than 2 x 2 is covered by
// 2 x 2 parts, one pass over the channels for each, as in fused1; at its edge a part takes the last window twice, which
// changes no maximum.
#pragma once

#include "kernels/fused/fused5_tile.h"
#include "kernels/layers/pooling.h"
#include "kernels/simt/feature_map.h"
#include "kernels/simt/kernel_shape.h"

namespace convscope::CONVSCOPE_DIALECT {

/// Copies a channel of the tile's input, zeros beyond the map, to [tile_height][tile_width].
DEVICE void copy_input(const KernelShape& shape, const Fused5AnyTiling& tiling, Global<const float> x, int map,
                       int first_row, int first_column, Shared<float> to) {
    for (int i = threadIdx.x; i < tiling.tile_height * tiling.tile_width; i += fused5_any_threads)
        to[i] = element_or_zero(x, map, shape, first_row + i / tiling.tile_width, first_column + i % tiling.tile_width);
}

/// Grid: x the tiles of an image, row by row; y groups of 64 filters; z the images. weights: [c][r][s][weight_pitch],
/// zeros beyond filter k. Shared memory: input [tile_height][tile_width], weights [taps][64].
LAUNCH_BOUNDS(512)  // 128 registers
KERNEL fused5_any(KernelShape shape, Fused5AnyTiling tiling, int weight_pitch, Global<const float> x,
                  Global<const float> weights, Global<float> y) {
    constexpr int filters = fused5_any_filters;
    DYNAMIC_SHARED(memory);
    Shared<float> of_filters = memory.take<float>(fused5_any_taps * filters);
    Shared<float> input = memory.take<float>(tiling.tile_height * tiling.tile_width);

    const int first_filter = blockIdx.y * filters, image = blockIdx.z;
    const int top = static_cast<int>(blockIdx.x) / tiling.tiles_across * tiling.rows;
    const int left = static_cast<int>(blockIdx.x) % tiling.tiles_across * tiling.columns;
    const int group = threadIdx.x / fused5_any_patches * 8, patch = threadIdx.x % fused5_any_patches;
    // Threads beyond the tile work on its last row for nothing.
    const int row = min(patch / (tiling.columns / 2), tiling.rows - 1), column = patch % (tiling.columns / 2) * 2;
    const bool exists = patch < tiling.rows * tiling.columns / 2;
    const int taps = shape.r * shape.s;

    float largest[8][2] = {};  // the ReLU: nothing below zero can win
    for (int part = 0; part < shape.pool_h * shape.pool_w; ++part) {
        const int ph = part / shape.pool_w, pw = part % shape.pool_w;
        if (ph % 2 != 0 || pw % 2 != 0) continue;
        int place[2][2][2];  // of the windows of both outputs in the tile
        UNROLL
        for (int i = 0; i < 8; ++i) {
            const int window_row = row * shape.pool_stride + min(ph + i / 2 % 2, shape.pool_h - 1);
            const int window_column = (column + i / 4) * shape.pool_stride + min(pw + i % 2, shape.pool_w - 1);
            place[i / 4][i / 2 % 2][i % 2] =
                window_row * shape.stride_h * tiling.tile_width + window_column * shape.stride_w;
        }
        float sum[8][8] = {};
        for (int c = 0; c < shape.c; ++c) {
            for (int first_tap = 0; first_tap < taps; first_tap += fused5_any_taps) {
                const int count = min(fused5_any_taps, taps - first_tap);
                __syncthreads();  // nobody works on what is overwritten
                if (first_tap == 0)
                    copy_input(shape, tiling, x, (image * shape.c + c) * shape.h * shape.w,
                               top * shape.pool_stride * shape.stride_h - shape.pad_h,
                               left * shape.pool_stride * shape.stride_w - shape.pad_w, input);
                for (int i = threadIdx.x; i < count * filters; i += fused5_any_threads)
                    of_filters[i] =
                        weights[(static_cast<long long>(c) * taps + first_tap + i / filters) * weight_pitch +
                                first_filter + i % filters];
                __syncthreads();
                int kh = first_tap / shape.s, kw = first_tap % shape.s;
                NO_UNROLL
                for (int tap = 0; tap < count; ++tap) {
                    const int at = kh * tiling.tile_width + kw;
                    float in[8];
                    UNROLL
                    for (int i = 0; i < 8; ++i) in[i] = input[place[i / 4][i / 2 % 2][i % 2] + at];
                    UNROLL
                    for (int f = 0; f < 8; ++f) {
                        const float weight = of_filters[tap * filters + group + f];
                        UNROLL
                        for (int i = 0; i < 8; ++i) sum[f][i] = fmaf(weight, in[i], sum[f][i]);
                    }
                    if (++kw == shape.s) {
                        kw = 0;
                        ++kh;
                    }
                }
            }
        }
        UNROLL
        for (int f = 0; f < 8; ++f) {
            UNROLL
            for (int i = 0; i < 8; ++i) largest[f][i / 4] = max_or_nan(largest[f][i / 4], sum[f][i]);
        }
    }

    const int out_row = top + row;
    if (!exists || out_row >= shape.out_h) return;
    UNROLL
    for (int f = 0; f < 8; ++f) {
        const int filter = first_filter + group + f;
        UNROLL
        for (int i = 0; i < 2; ++i) {
            const int out_column = left + column + i;
            if (filter < shape.k && out_column < shape.out_w)
                y[((image * shape.k + filter) * shape.out_h + out_row) * shape.out_w + out_column] = largest[f][i];
        }
    }
}

}  // namespace convscope::CONVSCOPE_DIALECT
