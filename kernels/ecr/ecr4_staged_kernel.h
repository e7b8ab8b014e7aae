// ecr4's third way, for maps and filters of middle size: the weights come from shared memory. A block copies its
// weights, of 32 V filters and a slice of the channels, to shared memory once, while its threads list the non-zeros of
// each column of inputs that a row of windows sees. An entry of such a list meets S weights and is multiplied into the
// S windows of the row that its column lies in, whose sums move on by one window from column to column. So an entry is
// read once for S loads of weights, and no weight is fetched from L2 twice by a block.
#pragma once

#include "kernels/ecr/ecr4_rows_kernel.h"
#include "kernels/simt/async_copy.h"
#include "kernels/simt/dependent_launch.h"

namespace convscope::CONVSCOPE_DIALECT {

/// sum[...] += value * the S rows of weights from 'place' on, a vector of V for each lane. The windows that a column
/// lies in are counted from the right: its first tap meets the last.
template <int S, int V>
DEVICE void add_taps(float value, float place, Shared<const float> staged, const bool (&inside)[S],
                     float (&sum)[S][V]) {
    const int vector = __float_as_int(place) + static_cast<int>(threadIdx.x % 32);
    UNROLL for (int tap = 0; tap < S; ++tap) {
        if (inside[tap]) add_weights<V>(value, staged, (vector + tap * 32) * V, sum[S - 1 - tap]);
    }
}

/// S x S is the filter, the stride 1, V 1 or 2. Block: 32 threads for each warp, one warp at least for each segment of
/// tile_w windows of each row of the tile. Grid: x images x tiles of whole rows, y groups of 32 V filters, z slices.
/// weights and sums as for ecr4. Each thread lists ecr4_staged_channels channels, by which c and a slice are divisible.
/// Dynamic shared memory: staged  the slice's weights, slice x S S x 32 V floats
///                        lists   pairs of a value and the place of its weights, 'list' pairs for each column
///                        counts  an int for each column
template <int S, int V>
LAUNCH_BOUNDS(896)
KERNEL ecr4_staged(KernelShape shape, Ecr4Tiling tiling, Global<const float> x, Global<const float> weights,
                   Global<float> sums) {
    constexpr int group = 32 * V, own = ecr4_staged_channels(S);
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    DYNAMIC_SHARED(memory);
    Shared<float> staged = memory.take<float>(tiling.slice * S * S * group);
    Shared<float> lists = memory.take<float>(2 * tiling.tile_h * shape.w * tiling.list);
    Shared<int> counts = memory.take<int>(tiling.tile_h * shape.w);

    const int image = blockIdx.x / tiling.tiles_h, tile_p = blockIdx.x % tiling.tiles_h * tiling.tile_h;
    const int rows = min(tiling.tile_h, shape.p - tile_p);
    const int channel = blockIdx.z * tiling.slice, channels = min(tiling.slice, shape.c - channel);

    // A warp takes several columns, whose channels its lanes share.
    const int columns = rows * shape.w, per_warp = 32 / tiling.column_lanes;
    const int share = lane / per_warp, plane = shape.h * shape.w;
    int first = warp * per_warp;
    do {
        const int column = first + lane % per_warp;
        const bool has_some = column < columns && share * own < channels;
        const int top = tile_p - shape.pad_h + divided(column, tiling.per_slab_w);
        int from = (image * shape.c + channel + share * own) * plane + (tile_p - shape.pad_h) * shape.w + column;
        float values[S][own];
        UNROLL for (int r = 0; r < S; ++r) {
            const bool inside = has_some && top + r >= 0 && top + r < shape.h;
            UNROLL for (int c = 0; c < own; ++c) {
                values[r][c] = 0.0f;
                if (inside) values[r][c] = x[from + r * shape.w + c * plane];
            }
        }
        if (first == warp * per_warp) {
            constexpr int per_row = group / 4;
            const int vector = threadIdx.x % per_row;
            for (int row = threadIdx.x / per_row; row < channels * S * S; row += blockDim.x / per_row)
                copy_async<4>(staged, row * group + vector * 4, weights,
                              (channel * S * S + row) * tiling.leading + blockIdx.y * group + vector * 4, true);
            end_copy_group();
        }
        int found = 0;
        UNROLL for (int r = 0; r < S; ++r) {
            UNROLL for (int c = 0; c < own; ++c) found += values[r][c] != 0.0f;
        }
        int end = found;
        for (int by = per_warp; by < 32; by *= 2) {
            const int before = __shfl_up_sync(0xffffffffu, end, by);
            if (lane >= by) end += before;
        }
        if (column < columns) {
            if (share == tiling.column_lanes - 1) counts[column] = end;
            int slot = column * tiling.list + end - found;
            UNROLL for (int r = 0; r < S; ++r) {
                UNROLL for (int c = 0; c < own; ++c) {
                    if (values[r][c] == 0.0f) continue;
                    const float place = __int_as_float(((share * own + c) * S + r) * S * 32);
                    vectors<float2>(lists)[slot++] = float2{values[r][c], place};
                }
            }
        }
        first += static_cast<int>(blockDim.x) / 32 * per_warp;
    } while (first < columns);
    launch_dependents();
    arrive_copies<0>();
    __syncthreads();

    const int row = divided(warp, tiling.per_segments);
    const int left = (warp - row * tiling.segments) * tiling.tile_w, windows = min(tiling.tile_w, shape.q - left);
    const int filter = blockIdx.y * group + lane * V;
    const long long first_window = (static_cast<long long>(image) * shape.p + tile_p + row) * shape.q + left;
    const long long outputs = static_cast<long long>(shape.n) * shape.p * shape.q;
    long long partial = (blockIdx.z * outputs + first_window) * tiling.leading + filter;
    float sum[S][V];
    UNROLL for (int tap = 0; tap < S; ++tap) {
        UNROLL for (int v = 0; v < V; ++v) sum[tap][v] = 0.0f;
    }
    if (row >= rows) return;
    NO_UNROLL for (int step = 0; step < windows + S - 1; ++step) {
        const int column = left - shape.pad_w + step;
        if (column >= 0 && column < shape.w) {
            bool inside[S];
            UNROLL for (int tap = 0; tap < S; ++tap) inside[tap] = step >= tap && step - tap < windows;
            const int count = counts[row * shape.w + column];
            int entry = (row * shape.w + column) * tiling.list;
            const int end = entry + count;
            NO_UNROLL for (; entry + 4 <= end; entry += 4) {
                const float4 two = vectors<const float4>(lists)[entry / 2];
                const float4 next = vectors<const float4>(lists)[entry / 2 + 1];
                add_taps<S, V>(two.x, two.y, staged, inside, sum);
                add_taps<S, V>(two.z, two.w, staged, inside, sum);
                add_taps<S, V>(next.x, next.y, staged, inside, sum);
                add_taps<S, V>(next.z, next.w, staged, inside, sum);
            }
            if (entry + 2 <= end) {
                const float4 two = vectors<const float4>(lists)[entry / 2];
                add_taps<S, V>(two.x, two.y, staged, inside, sum);
                add_taps<S, V>(two.z, two.w, staged, inside, sum);
                entry += 2;
            }
            if (entry < end) {
                const float2 one = vectors<const float2>(lists)[entry];
                add_taps<S, V>(one.x, one.y, staged, inside, sum);
            }
        }
        if (step >= S - 1) {
            if constexpr (V == 2)
                vectors<float2>(sums)[partial / 2] = float2{sum[0][0], sum[0][1]};
            else
                sums[partial] = sum[0][0];
            partial += tiling.leading;
        }
        UNROLL for (int v = 0; v < V; ++v) {
            UNROLL for (int tap = 0; tap < S - 1; ++tap) sum[tap][v] = sum[tap + 1][v];
            sum[S - 1][v] = 0.0f;
        }
    }
}

}  // namespace convscope::CONVSCOPE_DIALECT
