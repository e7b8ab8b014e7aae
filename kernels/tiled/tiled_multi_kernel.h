// tiled-multi: the stride-fixed block method (Chang et al., Section 3.2, Fig. 3).
//
// A filter is the sequence of its c r s weights, which lie one after the other in global memory. A block goes through
// it in segments of S bytes, whatever r and s are, for M' filters at once. The weights of one filter row meet one line
// of the map: the row of a channel that they are moved along, for all W'_x pixels of the block. So each segment needs
// W'_y = ceil(S / 4s) new lines at most; a line that a segment ends in stays in shared memory for the next one. While a
// segment is worked on, the next weights and lines are fetched, through registers.
#pragma once

#include "kernels/simt/dialect.h"
#include "kernels/simt/kernel_shape.h"
#include "kernels/tiled/multi_tiling.h"

namespace convscope::CONVSCOPE_DIALECT {

/// The next segment of M' = 8 Filters filters. Eight threads side by side read 32 bytes of a filter: one sector.
template <int Filters>
struct SegmentPrefetch {
    static constexpr int rounds = Filters / 4;  // of 32 filters
    static constexpr int pitch = Filters * multi_warps + multi_weights_padding;
    float value[2][rounds];

    DEVICE void load(const KernelShape& shape, const MultiTiling& tiling, Global<const float> w, int segment) {
        const int weights = shape.c * shape.r * shape.s;
        UNROLL
        for (int half = 0; half < 2; ++half) {
            const int tap = half * 8 + threadIdx.x % 8;
            const int weight = segment * tiling.taps + tap;
            UNROLL
            for (int i = 0; i < rounds; ++i) {
                const int filter = (blockIdx.y * rounds + i) * 32 + threadIdx.x / 8;
                value[half][i] = 0.0f;
                if (tap < tiling.taps && weight < weights && filter < shape.k)
                    value[half][i] = w[filter * weights + weight];
            }
        }
    }
    /// 'to' is [taps][M' + padding].
    DEVICE void store(const MultiTiling& tiling, Shared<float> to) const {
        UNROLL
        for (int half = 0; half < 2; ++half) {
            const int tap = half * 8 + threadIdx.x % 8;
            UNROLL
            for (int i = 0; i < rounds; ++i)
                if (tap < tiling.taps) to[tap * pitch + i * 32 + threadIdx.x / 8] = value[half][i];
        }
    }
};

/// A lane's places in a line of rows of 'columns' elements: every 32nd of them, without dividing at each.
struct LineWalk {
    int row, column;

    DEVICE explicit LineWalk(int columns) : row(threadIdx.x % 32 / columns), column(threadIdx.x % 32 % columns) {}
    DEVICE void advance(int columns) {
        row += 32 / columns;
        column += 32 % columns;
        if (column >= columns) {
            column -= columns;
            ++row;
        }
    }
};

/// The lines that a block goes through: line l is row l % r of the windows in channel l / r. In shared memory line l is
/// at place l % ring, as the tile's rows one after the other, each of columns + s - 1 elements, 0 in the padding.
struct Lines {
    static constexpr int per_lane = multi_line_elements / 32;
    static constexpr int per_warp = 2;  // W'_y is 16 at most

    Shared<float> ring;
    int columns;                  ///< of the tile's input: columns + s - 1
    int count;                    ///< c r
    int first_row, first_column;  ///< of the map, of the tile's first window; negative in the padding
    int image;                    ///< index of its first element in x
    int arrived = 0;              ///< lines that are in shared memory, or were
    float value[per_warp][per_lane] = {};

    /// Lines that the weights of 'segments' segments meet.
    DEVICE int needed(const KernelShape& shape, const MultiTiling& tiling, int segments) const {
        return min((segments * tiling.taps + shape.s - 1) / shape.s, count);
    }
    DEVICE void load(const KernelShape& shape, const MultiTiling& tiling, Global<const float> x, int end) {
        UNROLL
        for (int i = 0; i < per_warp; ++i) {
            const int line = line_of(i);
            if (line >= end) continue;
            const int channel = image + line / shape.r * shape.h * shape.w;
            const int line_row = first_row + line % shape.r;
            LineWalk at(columns);
            UNROLL
            for (int k = 0; k < per_lane; ++k) {
                const int row = line_row + at.row, column = first_column + at.column;
                value[i][k] = 0.0f;
                if (at.row < tiling.rows && row >= 0 && row < shape.h && column >= 0 && column < shape.w)
                    value[i][k] = x[channel + row * shape.w + column];
                at.advance(columns);
            }
        }
    }
    DEVICE void store(const MultiTiling& tiling, int end) {
        UNROLL
        for (int i = 0; i < per_warp; ++i) {
            const int line = line_of(i);
            if (line >= end) continue;
            const int place = line % tiling.ring * tiling.rows * tiling.row_pitch;
            LineWalk at(columns);
            UNROLL
            for (int k = 0; k < per_lane; ++k) {
                if (at.row < tiling.rows) ring[place + at.row * tiling.row_pitch + at.column] = value[i][k];
                at.advance(columns);
            }
        }
        arrived = end;
    }
    /// The i-th of the lines that this warp fetches.
    DEVICE int line_of(int i) const { return arrived + static_cast<int>(threadIdx.x) / 32 + i * multi_warps; }
};

/// Grid: x the tiles of pixels of an image, y groups of M' = 8 Filters filters, z the images. Block: 8 warps; each
/// works on Filters filters for all 32 Pixels pixels of the block, pixel after pixel along its lanes, so that its lanes
/// read the same weights and adjacent elements of a line. Dynamic shared memory: weights[2][taps][M' + padding],
/// lines[ring][rows][row_pitch].
template <int Pixels, int Filters>
KERNEL tiled_multi(KernelShape shape, MultiTiling tiling, Global<const float> x, Global<const float> w,
                   Global<float> y) {
    constexpr int pitch = SegmentPrefetch<Filters>::pitch;
    const int line_elements = tiling.rows * tiling.row_pitch;
    const int set = tiling.taps * pitch;
    DYNAMIC_SHARED(memory);
    Shared<float> weights = memory.take<float>(2 * set);
    Shared<float> ring = memory.take<float>(tiling.ring * line_elements);

    const int tile_row = static_cast<int>(blockIdx.x) / tiling.tiles_x * tiling.rows;
    const int tile_column = static_cast<int>(blockIdx.x) % tiling.tiles_x * tiling.columns;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int all = shape.c * shape.r * shape.s;
    const int segments = (all + tiling.taps - 1) / tiling.taps;

    SegmentPrefetch<Filters> filters;
    Lines lines{ring,
                tiling.columns + shape.s - 1,
                shape.c * shape.r,
                tile_row - shape.pad_h,
                tile_column - shape.pad_w,
                static_cast<int>(blockIdx.z) * shape.c * shape.h * shape.w};
    int end = lines.needed(shape, tiling, 1);
    filters.load(shape, tiling, w, 0);
    lines.load(shape, tiling, x, end);
    filters.store(tiling, weights);
    lines.store(tiling, end);

    int place[Pixels];  // of this lane's pixels in a line; beyond the tile they work on its last one, for nothing
    UNROLL
    for (int i = 0; i < Pixels; ++i) {
        const int pixel = min(lane + 32 * i, tiling.rows * tiling.columns - 1);
        place[i] = pixel / tiling.columns * tiling.row_pitch + pixel % tiling.columns;
    }

    float sum[Pixels][Filters] = {};
    int line = 0, tap_of_line = 0;  // the line's place in the ring, and the weight's in its filter row
    for (int segment = 0; segment < segments; ++segment) {
        __syncthreads();  // the segment has arrived, and nobody works on the one before it
        const bool more = segment + 1 < segments;
        if (more) {
            end = lines.needed(shape, tiling, segment + 2);
            filters.load(shape, tiling, w, segment + 1);
            lines.load(shape, tiling, x, end);
        }

        const Shared<const float> present = weights + segment % 2 * set;
        const int taps = min(tiling.taps, all - segment * tiling.taps);
        for (int tap = 0; tap < taps; ++tap) {
            const int from = line * line_elements + tap_of_line;
            float pixel[Pixels];
            UNROLL
            for (int i = 0; i < Pixels; ++i) pixel[i] = ring[from + place[i]];
            UNROLL
            for (int f = 0; f < Filters; f += 4) {
                const float4 four = vectors<const float4>(present)[(tap * pitch + warp * Filters + f) / 4];
                UNROLL
                for (int i = 0; i < Pixels; ++i) {
                    sum[i][f] = fmaf(pixel[i], four.x, sum[i][f]);
                    sum[i][f + 1] = fmaf(pixel[i], four.y, sum[i][f + 1]);
                    sum[i][f + 2] = fmaf(pixel[i], four.z, sum[i][f + 2]);
                    sum[i][f + 3] = fmaf(pixel[i], four.w, sum[i][f + 3]);
                }
            }
            if (++tap_of_line == shape.s) {
                tap_of_line = 0;
                if (++line == tiling.ring) line = 0;
            }
        }
        if (more) {
            filters.store(tiling, weights + (segment + 1) % 2 * set);
            lines.store(tiling, end);
        }
    }

    const int first_filter = (blockIdx.y * multi_warps + warp) * Filters;
    UNROLL
    for (int i = 0; i < Pixels; ++i) {
        const int pixel = lane + 32 * i;
        const int row = tile_row + pixel / tiling.columns, column = tile_column + pixel % tiling.columns;
        if (pixel >= tiling.rows * tiling.columns || row >= shape.p || column >= shape.q) continue;
        const int image = static_cast<int>(blockIdx.z) * shape.k;
        UNROLL
        for (int f = 0; f < Filters; ++f)
            if (first_filter + f < shape.k)
                y[((image + first_filter + f) * shape.p + row) * shape.q + column] = sum[i][f];
    }
}

}  // namespace convscope::CONVSCOPE_DIALECT
