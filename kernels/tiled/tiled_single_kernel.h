// tiled-single: one channel, divided as the plan says (Chang et al., Sections 2.3 and 3.1).
//
// The blocks blockIdx.y of a part (blockIdx.x) of the filters, or of the map, hold that part in shared memory and deal
// the slices of the other among them. While a slice is worked on, the next one is fetched into a second buffer. A
// thread holds the windows of up to four output pixels of a column in registers and applies one filter after the other
// to them.
#pragma once

#include "kernels/simt/kernel_shape.h"
#include "kernels/tiled/single_tiling.h"
#include "kernels/tiled/tile_copy.h"

namespace convscope::CONVSCOPE_DIALECT {

/// The input rows of one slice (or part) of a map.
DEVICE TileCopy map_copy(const KernelShape& shape, const SingleTiling& tiling, Global<const float> x, int slice,
                         Shared<float> to) {
    const int columns = shape.w + 2 * shape.pad_w;
    TileCopy copy{x,
                  static_cast<int>(blockIdx.z) * shape.h * shape.w,
                  shape.h,
                  shape.w,
                  slice * tiling.rows - shape.pad_h,
                  -shape.pad_w,
                  to,
                  columns,
                  tiling.rows + shape.r - 1,
                  columns,
                  0,
                  0,
                  0,
                  0};
    copy.begin();
    return copy;
}

/// The filters of one slice (or part), each at a place that starts a float4; what is beyond its r s weights is 0.
DEVICE TileCopy filter_copy(const KernelShape& shape, const SingleTiling& tiling, Global<const float> w, int slice,
                            Shared<float> to) {
    const int pitch = tiling.window_pitch;
    TileCopy copy{w, 0, shape.k, shape.r * shape.s, slice * tiling.filters, 0, to, pitch, tiling.filters, pitch, 0,
                  0, 0, 0};
    copy.begin();
    return copy;
}

/// Up to Rows output pixels of one column, from the window's first element at (row, column) of the map in shared
/// memory, whose last row is last_row. K x K filters: the windows and the filter are held in registers.
template <int K, int Rows>
struct SinglePixels {
    float window[(Rows + K - 1) * K];

    DEVICE void load(const KernelShape&, Shared<const float> map, int pitch, int row, int column, int last_row) {
        UNROLL
        for (int i = 0; i < Rows + K - 1; ++i) {
            const int at = min(row + i, last_row) * pitch + column;
            UNROLL
            for (int j = 0; j < K; ++j) window[i * K + j] = map[at + j];
        }
    }
    DEVICE void apply(Shared<const float> filter, float (&sum)[Rows]) const {
        constexpr int fours = (K * K + 3) / 4;
        float weight[4 * fours];
        UNROLL
        for (int i = 0; i < fours; ++i) {
            const float4 four = vectors<const float4>(filter)[i];
            weight[4 * i] = four.x;
            weight[4 * i + 1] = four.y;
            weight[4 * i + 2] = four.z;
            weight[4 * i + 3] = four.w;
        }
        UNROLL
        for (int i = 0; i < K * K; ++i) UNROLL
        for (int row = 0; row < Rows; ++row) sum[row] = fmaf(window[(row + i / K) * K + i % K], weight[i], sum[row]);
    }
};

/// A filter of any size: everything is read from shared memory where it is needed.
template <int Rows>
struct SinglePixels<0, Rows> {
    Shared<const float> map;
    int r, s, pitch, row, column, last_row;

    DEVICE void load(const KernelShape& shape, Shared<const float> from, int map_pitch, int first_row, int first_column,
                     int last) {
        map = from;
        r = shape.r;
        s = shape.s;
        pitch = map_pitch;
        row = first_row;
        column = first_column;
        last_row = last;
    }
    DEVICE void apply(Shared<const float> filter, float (&sum)[Rows]) const {
        for (int i = 0; i < r; ++i)
            for (int j = 0; j < s; ++j) {
                const float weight = filter[i * s + j];
                UNROLL
                for (int k = 0; k < Rows; ++k) {
                    const float pixel = map[min(row + k + i, last_row) * pitch + column + j];
                    sum[k] = fmaf(pixel, weight, sum[k]);
                }
            }
    }
};

/// Grid: x the parts of what stays in a block, y the blocks that share a part, z the images. Block: tiling.threads
/// along x, groups of tiling.lanes; the groups take the filters in turn, the lanes of a group the pixels. A warp works
/// on one filter, so that all of its lanes read the same weights, and on adjacent pixels of a row. Dynamic shared
/// memory: filters[][window_pitch] and map[rows + r - 1][padded width], that which comes in slices twice when
/// tiling.buffers is 2.
template <int K, int Rows>
KERNEL tiled_single(KernelShape shape, SingleTiling tiling, Global<const float> x, Global<const float> w,
                    Global<float> y) {
    const int pitch = shape.w + 2 * shape.pad_w;
    const int last_row = tiling.rows + shape.r - 2;
    const int map_floats = (last_row + 1) * pitch, filter_floats = tiling.filters * tiling.window_pitch;
    DYNAMIC_SHARED(memory);
    Shared<float> filters = memory.take<float>(filter_floats * (tiling.by_filters ? 1 : tiling.buffers));
    Shared<float> map = memory.take<float>(map_floats * (tiling.by_filters ? tiling.buffers : 1));

    const auto slice_copy = [&](int slice, int buffer) {
        return tiling.by_filters ? map_copy(shape, tiling, x, slice, map + buffer * map_floats)
                                 : filter_copy(shape, tiling, w, slice, filters + buffer * filter_floats);
    };
    TileCopy part = tiling.by_filters ? filter_copy(shape, tiling, w, blockIdx.x, filters)
                                      : map_copy(shape, tiling, x, blockIdx.x, map);
    part.finish();
    TileCopy first = slice_copy(blockIdx.y, 0);
    first.finish();

    const int lane = threadIdx.x % tiling.lanes, group = threadIdx.x / tiling.lanes;
    const int groups = blockDim.x / tiling.lanes;
    const int items = (tiling.rows + Rows - 1) / Rows * shape.q;
    int buffer = 0;
    for (int slice = blockIdx.y; slice < tiling.slices; slice += gridDim.y) {
        __syncthreads();  // the slice has arrived, and the other buffer is no longer read
        const int next = slice + gridDim.y;
        TileCopy ahead = slice_copy(next, buffer ^ 1);
        if (next >= tiling.slices) ahead.rows = 0;

        const int first_row = (tiling.by_filters ? slice : static_cast<int>(blockIdx.x)) * tiling.rows;
        const int first_filter = (tiling.by_filters ? static_cast<int>(blockIdx.x) : slice) * tiling.filters;
        const int rows = min(tiling.rows, shape.p - first_row), count = min(tiling.filters, shape.k - first_filter);
        const Shared<const float> present_map = map + (tiling.by_filters ? buffer * map_floats : 0);
        const Shared<const float> present_filters = filters + (tiling.by_filters ? 0 : buffer * filter_floats);

        // All lanes go as many rounds, so that each fetches its share of the next slice.
        for (int round = 0; round < items; round += tiling.lanes) {
            Prefetch prefetch;
            prefetch.load(ahead);
            const int item = round + lane;
            const int row = item / shape.q * Rows, column = item % shape.q;
            if (row < rows) {
                SinglePixels<K, Rows> pixels;
                pixels.load(shape, present_map, pitch, row, column, last_row);
                for (int filter = group; filter < count; filter += groups) {
                    float sum[Rows] = {};
                    pixels.apply(present_filters + filter * tiling.window_pitch, sum);
                    const int image_and_filter = static_cast<int>(blockIdx.z) * shape.k + first_filter + filter;
                    const int out = (image_and_filter * shape.p + first_row + row) * shape.q + column;
                    UNROLL
                    for (int i = 0; i < Rows; ++i)
                        if (row + i < rows) y[out + i * shape.q] = sum[i];
                }
            }
            prefetch.store(ahead);
        }
        ahead.finish();
        buffer ^= 1;
    }
}

}  // namespace convscope::CONVSCOPE_DIALECT
