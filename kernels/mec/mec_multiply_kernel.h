// The product of MEC with its p partitions in one launch: mec3 from L, mec4 from the input (L is never written).
//
// Output row h multiplies the filters with rows h stride_h ... of every strip of L (Cho & Brand 2017, Algorithm 2,
// lines 11-13): partitions of neighbouring output rows share r - stride_h of their r rows. A block that computes
// several output rows brings each row of a strip to shared memory once, and multiplies it where each partition has it.
#pragma once

#include "kernels/mec/mec_strips.h"
#include "kernels/simt/cluster.h"

namespace convscope::CONVSCOPE_DIALECT {

/// A block of WarpsM x WarpsN warps. A warp has 64 outputs x 32 filters, a thread 8 x 8 of them.
template <int WarpsM, int WarpsN>
struct MecTile {
    static constexpr int outputs = 64 * WarpsM, filters = 32 * WarpsN, threads = 32 * WarpsM * WarpsN;
    /// Threads on a multiprocessor that there are registers for: a large block wants a second one resident with it.
    static constexpr int bound = threads >= 256 ? 512 : 384;
};

DEVICE float element(const float4& four, int i) {
    return i == 0 ? four.x : i == 1 ? four.y : i == 2 ? four.z : four.w;
}

/// Begins to copy weights [filter_rows][depth][filters of the block] of w, [r][s c][k].
template <int Width, int Filters>
DEVICE void copy_weights(const KernelShape& shape, const MecTiling& tiling, Global<const float> w, int first_filter,
                         int filter_row, int column, Shared<float> to) {
    constexpr int per_row = Filters / Width;
    const int columns = shape.s * shape.c;
    const int count = (tiling.filter_rows << tiling.depth_bits) * per_row;
    for (int i = threadIdx.x; i < count; i += blockDim.x) {
        const int row = i / per_row, filter = first_filter + i % per_row * Width;
        const int r = filter_row + (row >> tiling.depth_bits), at = column + (row & (tiling.depth - 1));
        const bool inside = r < shape.r && at < columns && filter < shape.k;
        copy_async<Width>(to, i * Width, w, static_cast<long long>(r * columns + at) * shape.k + filter, inside);
    }
}

/// The sums of one thread: rows lane_m + 8 i of its warp's outputs, filters 4 lane_n + 16 j ... of its warp's filters.
/// Neighbouring lanes share strips in pairs, and filters in pairs two apart, as wide loads want it.
template <class Tile>
struct MecSums {
    float sum[8][8] = {};
    int strip[8];  ///< place of output i's first four floats in the stage, in fours
    int filter;    ///< this thread's first filter in the block

    /// One stage: 'steps' times four floats of a strip, filter row after filter row. Neighbouring multiply-adds share
    /// an operand, at the turn from one output to the next, too, since every other output goes through the filters
    /// backwards: an operand that is used twice in a row is read once.
    DEVICE void multiply(Shared<const float> strips, Shared<const float> weights, int steps) {
        const Shared<const float4> fours = vectors<const float4>(weights + filter);
        const Shared<const float4> strip_fours = vectors<const float4>(strips);
        for (int step = 0; step < steps; ++step) {
            float4 a[8];
            UNROLL
            for (int i = 0; i < 8; ++i) a[i] = strip_fours[strip[i] + step];
            UNROLL
            for (int d = 0; d < 4; ++d) {
                const int row = (step * 4 + d) * (Tile::filters / 4);
                const float4 low = fours[row], high = fours[row + 4];
                const float b[8] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
                UNROLL
                for (int i = 0; i < 8; ++i) {
                    const float x = element(a[i], d);
                    UNROLL
                    for (int turn = 0; turn < 8; ++turn) {
                        const int j = i % 2 == 0 ? turn : 7 - turn;
                        sum[i][j] = fmaf(x, b[j], sum[i][j]);
                    }
                }
            }
        }
    }
};

/// The element of y, NHWC, that a block's output m has its first filter at; -1 where there is none. Outputs of a block
/// are in the order of its rows, strips within.
DEVICE long long output_place(const KernelShape& shape, const MecTiling& tiling, int first_strip, int first_row,
                              int m) {
    const int strip = first_strip + m % tiling.strips, row = first_row + m / tiling.strips;
    if (m >= tiling.strips * tiling.rows || row >= shape.p || strip >= shape.n * shape.q) return -1;
    const int pixel = (strip / shape.q * shape.p + row) * shape.q + strip % shape.q;
    return static_cast<long long>(pixel) * shape.k;
}

/// Four neighbouring filters' results, as far as there are filters.
DEVICE void store_filters(const KernelShape& shape, Global<float> y, long long place, int filter, const float4& four) {
    if (shape.k % 4 == 0) {
        if (filter < shape.k) vectors<float4>(y)[(place + filter) / 4] = four;
        return;
    }
    UNROLL
    for (int i = 0; i < 4; ++i)
        if (filter + i < shape.k) y[place + filter + i] = element(four, i);
}

/// The partial sums of a cluster's blocks, [outputs][filters] in the shared memory of each, added in the order of the
/// blocks: the result does not depend on chance. Block z takes every gridDim.z-th output.
template <int Outputs, int Filters>
DEVICE void add_partial_sums(const KernelShape& shape, const MecTiling& tiling, int first_strip, int first_row,
                             int first_filter, Shared<const float> sums, Global<float> y) {
    wait_for_cluster();
    constexpr int fours = Filters / 4;
    for (int i = threadIdx.x + blockIdx.z * blockDim.x; i < Outputs * fours; i += blockDim.x * gridDim.z) {
        const long long place = output_place(shape, tiling, first_strip, first_row, i / fours);
        if (place < 0) continue;
        float4 four{0.0f, 0.0f, 0.0f, 0.0f};
        for (int block = 0; block < static_cast<int>(gridDim.z); ++block) {
            const float4 part = from_cluster(sums, i * 4, block);
            four = {four.x + part.x, four.y + part.y, four.z + part.z, four.w + part.w};
        }
        store_filters(shape, y, place, first_filter + i % fours * 4, four);
    }
    wait_for_cluster();  // nobody leaves while others read its shared memory
}

/// 'source' is L, or x in NHWC; w is [r][s][c][k], y NHWC. Grid: x groups of strips, then of output rows, then of
/// filters, the filters' changing fastest; z blocks that share the stages between them, a cluster. Dynamic shared
/// memory: the strips' rows as listed, then two stages, copied ahead of the arithmetic in turn.
template <class Tile>
KERNEL LAUNCH_BOUNDS(Tile::bound) mec_multiply(KernelShape shape, MecTiling tiling, bool lowered,
                                               Global<const float> source, Global<const float> w, Global<float> y) {
    DYNAMIC_SHARED(memory);
    Shared<StripRow> rows = memory.take<StripRow>(tiling.strips * tiling.strip_rows);
    Shared<float> sets = memory.take<float>(2 * tiling.set_floats);
    const int block = blockIdx.x;
    const int first_filter = block % tiling.filter_groups * Tile::filters;
    const int first_row = block / tiling.filter_groups % tiling.row_groups * tiling.rows;
    const int first_strip = block / tiling.filter_groups / tiling.row_groups * tiling.strips;
    list_strip_rows(shape, tiling, lowered, first_strip, first_row, rows);

    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int lane_n = (lane & 1) | (lane >> 1 & 2), lane_m = (lane >> 1 & 1) | (lane >> 2 & 6);
    const int first_output = warp % (Tile::outputs / 64) * 64 + lane_m;
    MecSums<Tile> sums;
    sums.filter = warp / (Tile::outputs / 64) * 32 + lane_n * 4;
    UNROLL
    for (int i = 0; i < 8; ++i) {
        const int m = min(first_output + 8 * i, tiling.strips * tiling.rows - 1);
        sums.strip[i] = (m % tiling.strips * tiling.pitch + m / tiling.strips * shape.stride_h * tiling.depth) >> 2;
    }

    const StripSource strips = strip_source(shape, lowered, source);
    const int weights = tiling.strips * tiling.pitch,
              filter_stages = (shape.r + tiling.filter_rows - 1) / tiling.filter_rows;
    const auto copy = [&](int stage) {
        const Shared<float> to = sets + stage % 2 * tiling.set_floats;
        const int filter_row = stage % filter_stages * tiling.filter_rows;
        const int column = stage / filter_stages * tiling.depth;
        if (shape.c % 4 == 0)
            copy_strips<4>(shape, tiling, strips, rows, filter_row, column, to);
        else
            copy_strips<1>(shape, tiling, strips, rows, filter_row, column, to);
        if (shape.k % 4 == 0)
            copy_weights<4, Tile::filters>(shape, tiling, w, first_filter, filter_row, column, to + weights);
        else
            copy_weights<1, Tile::filters>(shape, tiling, w, first_filter, filter_row, column, to + weights);
        end_copy_group();
    };
    const int end = tiling.stages * (blockIdx.z + 1) / gridDim.z;
    int stage = tiling.stages * blockIdx.z / gridDim.z;
    __syncthreads();
    if (stage < end) copy(stage);
    for (; stage < end; ++stage) {
        arrive_copies<0>();
        __syncthreads();  // the stage has arrived, and nobody works on the one before it
        if (stage + 1 < end) copy(stage + 1);
        const int rows_left = shape.r - stage % filter_stages * tiling.filter_rows;
        const Shared<const float> set = sets + stage % 2 * tiling.set_floats;
        sums.multiply(set, set + weights, min(tiling.filter_rows, rows_left) * tiling.depth / 4);
    }

    if (gridDim.z > 1) __syncthreads();  // the stages are no longer needed
    UNROLL
    for (int i = 0; i < 8; ++i) {
        const long long place = output_place(shape, tiling, first_strip, first_row, first_output + 8 * i);
        UNROLL
        for (int j = 0; j < 8; j += 4) {
            const float4 four{sums.sum[i][j], sums.sum[i][j + 1], sums.sum[i][j + 2], sums.sum[i][j + 3]};
            const int filter = sums.filter + j * 4;
            if (gridDim.z > 1)
                vectors<float4>(sets)[((first_output + 8 * i) * Tile::filters + filter) / 4] = four;
            else if (place >= 0)
                store_filters(shape, y, place, first_filter + filter, four);
        }
    }
    if (gridDim.z > 1)
        add_partial_sums<Tile::outputs, Tile::filters>(shape, tiling, first_strip, first_row, first_filter, sets, y);
}

}  // namespace convscope::CONVSCOPE_DIALECT
