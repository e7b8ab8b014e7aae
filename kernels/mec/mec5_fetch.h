// Fetches the operands of mec5's tiles into shared memory: rows of partitions by cp.async of 16 or 4 bytes, from L or
// from the same floats in the input; weights by bulk copies, since they were split once per layer.
#pragma once

#include "kernels/hopper/bulk_copy.h"
#include "kernels/mec/mec5_memory.h"
#include "kernels/simt/async_copy.h"
#include "kernels/simt/kernel_shape.h"

namespace convscope::CONVSCOPE_DIALECT {

/// Addresses L, or x in NHWC, by rows of partitions. A run is the contiguous part of a partition's row: all r s c
/// floats in L, the s c floats of a filter row in x. The next run begins run_step floats further on.
struct Mec5Source {
    const float* data;
    int run, run_step;
    int height, length;  ///< rows of an image, floats of a row; outside is padding

    DEVICE Mec5Source(const KernelShape& shape, const Mec5Tiling& tiling, const float* from) : data(from) {
        run = tiling.lowered ? tiling.columns : shape.s * shape.c;
        run_step = tiling.lowered ? 0 : shape.w * shape.c;
        height = tiling.lowered ? 1 : shape.h;
        length = tiling.lowered ? tiling.columns : shape.w * shape.c;
    }
};

/// Returns the row of output m, one of n p q; beyond the last, a row that is all padding.
DEVICE Mec5Row row_of_output(const KernelShape& shape, const Mec5Tiling& tiling, int m) {
    if (m >= tiling.outputs) return {0, -(1 << 30), 0};
    const int q = m % shape.q, p = m / shape.q % shape.p, image = m / shape.q / shape.p;
    if (tiling.lowered) {
        const long long strip = static_cast<long long>(image) * shape.q + q;
        return {(strip * (shape.h + 2 * shape.pad_h) + p * shape.stride_h) * shape.s * shape.c, 0, 0};
    }
    const int row = p * shape.stride_h - shape.pad_h, place = (q * shape.stride_w - shape.pad_w) * shape.c;
    return {(static_cast<long long>(image) * shape.h + row) * shape.w * shape.c + place, row, place};
}

/// Copies a slice: each of 128 threads takes 16 bytes of every 16th row; the 16 bytes i of row j go to i ^ j % 8. The
/// addresses of four rows are computed before the first copy: otherwise each copy would wait for its own address.
template <class Tile>
DEVICE void copy_slice(const Mec5Tiling& tiling, const Mec5Source& source, const Mec5Row* rows, int slice,
                       unsigned char* stage) {
    constexpr int chunks = mec5_slice / 4, rows_apart = mec5_fetching / chunks, copies = 4 / Tile::width, at_once = 4;
    const int chunk = threadIdx.x % chunks, first_row = threadIdx.x / chunks;
    const int column = slice * mec5_slice + chunk * 4;
    int down[copies], along[copies];
    UNROLL
    for (int j = 0; j < copies; ++j) {
        down[j] = (column + j) / source.run;
        along[j] = column + j - down[j] * source.run;
        if (column + j >= tiling.columns) along[j] = 1 << 30;  // outside of every row
    }
    const int to = first_row * mec5_slice + (chunk ^ first_row % 8) * 4;
    NO_UNROLL
    for (int first = 0; first < Tile::outputs / rows_apart; first += at_once) {
        Mec5Row from[at_once];
        long long place[at_once][copies];
        bool inside[at_once][copies];
        UNROLL
        for (int i = 0; i < at_once; ++i) from[i] = rows[first_row + (first + i) * rows_apart];
        UNROLL
        for (int i = 0; i < at_once; ++i) {
            UNROLL
            for (int j = 0; j < copies; ++j) {
                inside[i][j] = static_cast<unsigned>(from[i].row + down[j]) < static_cast<unsigned>(source.height) &&
                               static_cast<unsigned>(from[i].place + along[j]) < static_cast<unsigned>(source.length);
                place[i][j] = from[i].at + static_cast<long long>(down[j]) * source.run_step + along[j];
            }
        }
        UNROLL
        for (int i = 0; i < at_once; ++i) {
            UNROLL
            for (int j = 0; j < copies; ++j)
                copy_async<Tile::width>(reinterpret_cast<float*>(stage), to + (first + i) * rows_apart * mec5_slice + j,
                                        source.data, place[i][j], inside[i][j]);
        }
    }
}

/// The producer: fetches slice by slice, tile by tile. One warpgroup calls this.
template <class Tile>
DEVICE void fetch_mec5(const KernelShape& shape, const Mec5Tiling& tiling, const float* from, const float* weights,
                       const Mec5Memory<Tile>& memory) {
    const Mec5Source source(shape, tiling, from);
    const long long weight_plane = static_cast<long long>(tiling.leading) * mec5_slice;  // of a slice, hi or lo
    hopper::RingPosition at;
    for (int tile = blockIdx.x; tile < tiling.tiles; tile += gridDim.x) {
        const Mec5Place place(tiling, tile, Tile::outputs, Tile::filters);
        wait_for_role<1, mec5_fetching>();  // nobody needs the rows of the tile before
        for (int i = threadIdx.x; i < Tile::outputs; i += mec5_fetching)
            memory.rows[i] = row_of_output(shape, tiling, place.first_output + i);
        wait_for_role<1, mec5_fetching>();
        for (int slice = place.first_slice; slice < place.last_slice; ++slice, at.advance(Tile::stages)) {
            hopper::Mbarrier& there = memory.there[at.stage];
            unsigned char* stage = memory.ring + at.stage * Tile::stage_bytes;
            memory.free[at.stage].wait(at.parity ^ 1);
            if (threadIdx.x == 0) {
                there.arrive_expect_tx(Tile::planes * Tile::weight_plane);
                UNROLL
                for (int plane = 0; plane < Tile::planes; ++plane)
                    hopper::copy_bulk(
                        stage + Tile::input_bytes + plane * Tile::weight_plane,
                        weights + (slice * Tile::planes + plane) * weight_plane + place.first_filter * mec5_slice,
                        Tile::weight_plane, there);
            }
            __syncwarp();
            copy_slice<Tile>(tiling, source, memory.rows, slice, stage);
            there.arrive_after_copies();
        }
    }
}

}  // namespace convscope::CONVSCOPE_DIALECT
