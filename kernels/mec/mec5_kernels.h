// The product of MEC on Hopper's tensor cores: mec5 from L, mec6 (FP32) and mec7 (TF32) from the input, without L.
// CUDA-only (compute capability 9.0): wgmma and TMA have no meaning for single threads.
//
// MEC's partitions need no copying: the row of an output is a run of r s c floats that begins somewhere in L (Cho &
// Brand 2017, Algorithm 2, lines 11-13), and in the input it is r runs of s c floats. So all p products are one, of n p
// q rows, each with its own start. Slices of 32 floats of a tile's rows are brought to shared memory with the weights
// that meet them.
//
// FP32 from TF32: a value is split into a TF32 high part and a residual, which TF32 holds but for its last 2 bits.
// a b = A B + A b' + a' B. The fourth product, a' b', is about FP32's own rounding error; it is added only to sums of
// one K tile, which have few roundings to hide it behind. The weights are split once per layer, the rows on their way
// from shared memory to the registers that the tensor cores read. Accumulation in the tensor cores truncates, so their
// sums are promoted to FP32 totals every few K tiles ('promotion_interval').
//
// The kernel is warp-specialised: one warpgroup fetches, two multiply half of the tile's outputs each, and a ring of
// K tiles with mbarriers connects them. A block is persistent and takes tile after tile. Split-K: where there are fewer
// tiles than SMs, the blocks of a cluster share a tile's K tiles and add up through distributed shared memory.
//
// In the order in which it runs: shared memory, weights, fetching, products, results.
#pragma once

#include "kernels/hopper/bulk_copy.h"
#include "kernels/hopper/matrix_product.h"
#include "kernels/hopper/mbarrier.h"
#include "kernels/hopper/rounding.h"
#include "kernels/mec/mec5_tile.h"
#include "kernels/simt/async_copy.h"
#include "kernels/simt/cluster.h"
#include "kernels/simt/dialect.h"
#include "kernels/simt/kernel_shape.h"

namespace convscope::CONVSCOPE_DIALECT {

// Lays out the shared memory of a block of mec5, mec6 or mec7 and orders its tiles.

/// Width: floats of a copy, 4 where every row of the source is aligned, else 1.
template <int Outputs, int Filters, bool Split, int Width>
struct Mec5Tile : Mec5TileSizes<Outputs, Filters, Split> {
    static constexpr int width = Width;
};

/// Where one output's row begins: 'at' floats from the source's start. Its filter row 0 is row 'row' of its image, and
/// its first float is float 'place' of that row. Everything outside of the image is zero.
struct alignas(16) Mec5Row {
    long long at;
    int row, place;
};

/// A block's shared memory: ring[stages] of {inputs, weights[planes]}, the rows of the present tile, mbarriers.
template <class Tile>
struct Mec5Memory {
    unsigned char* ring;
    Mec5Row* rows;
    hopper::Mbarrier *there, *free;  ///< of each stage: full, and empty

    DEVICE explicit Mec5Memory(unsigned char* start) {
        ring = start + (-hopper::shared_address(start) & (mec5_alignment - 1));
        rows = reinterpret_cast<Mec5Row*>(ring + Tile::stages * Tile::stage_bytes);
        there = reinterpret_cast<hopper::Mbarrier*>(rows + Tile::outputs);
        free = there + Tile::stages;
    }
    DEVICE void init_mbarriers() const {
        for (int i = 0; i < Tile::stages; ++i) {
            there[i].init(mec5_fetching + 1);  // and the one who asks for the weights
            free[i].init(mec5_multiplying);
        }
        hopper::fence_mbarrier_init();
    }
};

/// Decodes a tile's number into its position and, in a cluster, this block's share of its K tiles. Neighbouring numbers
/// share their outputs.
struct Mec5Place {
    int first_output, first_filter, first_k_tile, last_k_tile;
    DEVICE Mec5Place(const Mec5Tiling& tiling, int tile, int outputs, int filters) {
        first_filter = tile % tiling.filter_groups * filters;
        first_output = tile / tiling.filter_groups * outputs;
        first_k_tile = tiling.k_tiles * static_cast<int>(blockIdx.z) / static_cast<int>(gridDim.z);
        last_k_tile = tiling.k_tiles * static_cast<int>(blockIdx.z + 1) / static_cast<int>(gridDim.z);
    }
};

/// Waits for all threads of one role, on the block's named barrier 'Barrier': 1 for those that fetch, 2 for those that
/// multiply.
template <int Barrier, int Threads>
DEVICE void wait_for_role() {
    asm volatile("bar.sync %0, %1;" ::"n"(Barrier), "n"(Threads) : "memory");
}

// Prepares the weights of mec5, mec6 and mec7 for their bulk copies. A framework does this once per layer.

/// prepared, [K tile][high, residual][leading][32 columns], without the residuals where they are not wanted, from w,
/// KCRS: zeros beyond k and r s c; the 16 bytes i of filter f lie at i ^ f % 8, as shared memory needs them. A column
/// is one of r s c, in the order of L's rows. One thread per weight.
template <bool split>
KERNEL mec5_weights(KernelShape shape, Mec5Tiling tiling, const float* w, float* prepared) {
    const long long thread = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    const long long plane = static_cast<long long>(tiling.leading) * mec5_tile_k;
    if (thread >= tiling.k_tiles * plane) return;
    const int within = static_cast<int>(thread % mec5_tile_k);
    const int filter = static_cast<int>(thread / mec5_tile_k % tiling.leading);
    const int k_tile = static_cast<int>(thread / plane);
    const int column = k_tile * mec5_tile_k + (within / 4 ^ filter % 8) * 4 + within % 4;
    float value = 0.0f;
    if (filter < shape.k && column < tiling.columns) {
        const int channel = column % shape.c, tap = column / shape.c;
        value = w[(static_cast<long long>(filter) * shape.c + channel) * shape.r * shape.s + tap];
    }
    float* to = prepared + k_tile * (split ? 2 : 1) * plane + thread % plane;
    if constexpr (split) {
        const hopper::SplitFloat both(value);
        to[0] = both.hi;
        to[plane] = both.lo;
    } else {
        to[0] = hopper::rounded_to_tf32(value);
    }
}

// Fetches the operands of mec5's tiles into shared memory: rows of partitions by cp.async of 16 or 4 bytes, from L or
// from the same floats in the input; weights by bulk copies, since they were split once per layer.

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

/// Copies a K tile: each of 128 threads takes 16 bytes of every 16th row; the 16 bytes i of row j go to i ^ j % 8. The
/// addresses of four rows are computed before the first copy: otherwise each copy would wait for its own address.
template <class Tile>
DEVICE void copy_k_tile(const Mec5Tiling& tiling, const Mec5Source& source, const Mec5Row* rows, int k_tile,
                        unsigned char* stage) {
    constexpr int chunks = mec5_tile_k / 4, rows_apart = mec5_fetching / chunks, copies = 4 / Tile::width, at_once = 4;
    const int chunk = threadIdx.x % chunks, first_row = threadIdx.x / chunks;
    const int column = k_tile * mec5_tile_k + chunk * 4;
    int down[copies], along[copies];
    UNROLL
    for (int j = 0; j < copies; ++j) {
        down[j] = (column + j) / source.run;
        along[j] = column + j - down[j] * source.run;
        if (column + j >= tiling.columns) along[j] = 1 << 30;  // outside of every row
    }
    const int to = first_row * mec5_tile_k + (chunk ^ first_row % 8) * 4;
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
                copy_async<Tile::width>(reinterpret_cast<float*>(stage),
                                        to + (first + i) * rows_apart * mec5_tile_k + j, source.data, place[i][j],
                                        inside[i][j]);
        }
    }
}

/// The producer: fetches K tile by K tile, tile by tile. One warpgroup calls this.
template <class Tile>
DEVICE void fetch_mec5(const KernelShape& shape, const Mec5Tiling& tiling, const float* from, const float* weights,
                       const Mec5Memory<Tile>& memory) {
    const Mec5Source source(shape, tiling, from);
    const long long weight_plane = static_cast<long long>(tiling.leading) * mec5_tile_k;  // of a K tile, hi or lo
    hopper::RingPosition at;
    for (int tile = blockIdx.x; tile < tiling.tiles; tile += gridDim.x) {
        const Mec5Place place(tiling, tile, Tile::outputs, Tile::filters);
        wait_for_role<1, mec5_fetching>();  // nobody needs the rows of the tile before
        for (int i = threadIdx.x; i < Tile::outputs; i += mec5_fetching)
            memory.rows[i] = row_of_output(shape, tiling, place.first_output + i);
        wait_for_role<1, mec5_fetching>();
        for (int k_tile = place.first_k_tile; k_tile < place.last_k_tile; ++k_tile, at.advance(Tile::stages)) {
            hopper::Mbarrier& there = memory.there[at.stage];
            unsigned char* stage = memory.ring + at.stage * Tile::stage_bytes;
            memory.free[at.stage].wait(at.parity ^ 1);
            if (threadIdx.x == 0) {
                there.arrive_expect_tx(Tile::planes * Tile::weight_plane);
                UNROLL
                for (int plane = 0; plane < Tile::planes; ++plane)
                    hopper::copy_bulk(
                        stage + Tile::input_bytes + plane * Tile::weight_plane,
                        weights + (k_tile * Tile::planes + plane) * weight_plane + place.first_filter * mec5_tile_k,
                        Tile::weight_plane, there);
            }
            __syncwarp();
            copy_k_tile<Tile>(tiling, source, memory.rows, k_tile, stage);
            there.arrive_after_copies();
        }
    }
}

// The arithmetic of mec5, mec6 and mec7: loads and splits a warpgroup's operands, and issues their products.

/// A warpgroup's A operands of half a K tile, two steps of 8 columns, in registers. Products in flight read them.
template <class Tile>
struct Mec5Operands {
    static constexpr int steps = 2;
    std::uint32_t hi[steps][Tile::factors][4];
    std::uint32_t lo[Tile::split ? steps : 1][Tile::split ? Tile::factors : 1][4];
};

/// Returns all ones if finite, else 0 (no residual): the compiler would place a branch between products in flight.
DEVICE std::uint32_t all_bits_if_finite(float value) {
    constexpr int exponent = 0x7f800000;
    return static_cast<std::uint32_t>(((__float_as_int(value) & exponent) - exponent) >> 31);
}

/// Keeps the compiler from computing a register between products in flight, which would make them wait for each other.
DEVICE void settle(std::uint32_t& operand) {
    asm volatile("" : "+r"(operand)::"memory");
}

/// FP32 values as loaded from shared memory: for each step and operand, columns t % 4 and t % 4 + 4 of this thread's
/// two rows.
template <class Tile>
struct Mec5Raw {
    float value[Mec5Operands<Tile>::steps][Tile::factors][4];

    /// 'row': the address of this thread's first row in the stage, the place in the row as the swizzle has its 16
    /// bytes 0. 'first' is the first of the K tile's four steps.
    DEVICE void load(std::uint32_t row, int first) {
        UNROLL
        for (int step = 0; step < Mec5Operands<Tile>::steps; ++step) {
            UNROLL
            for (int factor = 0; factor < Tile::factors; ++factor) {
                UNROLL
                for (int i = 0; i < 4; ++i) {
                    const int chunk = (first + step) * 2 + i / 2, below = i % 2;
                    asm volatile("ld.shared.f32 %0, [%1];"
                                 : "=f"(value[step][factor][i])
                                 : "r"((row ^ chunk * 16) + factor * 64 * Tile::row_bytes + below * 8 * Tile::row_bytes)
                                 : "memory");
                }
            }
        }
    }
    DEVICE void split(Mec5Operands<Tile>& to) const {
        UNROLL
        for (int step = 0; step < Mec5Operands<Tile>::steps; ++step) {
            UNROLL
            for (int factor = 0; factor < Tile::factors; ++factor) {
                UNROLL
                for (int i = 0; i < 4; ++i) {
                    if constexpr (Tile::split) {
                        const float all = value[step][factor][i], hi = hopper::rounded_to_tf32(all);
                        to.hi[step][factor][i] = __float_as_uint(hi);
                        to.lo[step][factor][i] =
                            __float_as_uint(hopper::rounded_to_tf32(all - hi)) & all_bits_if_finite(all);
                        settle(to.lo[step][factor][i]);
                    } else {
                        to.hi[step][factor][i] = __float_as_uint(hopper::rounded_to_tf32(value[step][factor][i]));
                    }
                    settle(to.hi[step][factor][i]);
                }
            }
        }
    }
};

/// A warpgroup's accumulators of one tile. With a split, promote() promotes the tensor cores' sums to FP32 totals.
template <class Tile>
struct Mec5Sums {
    static constexpr int each = Tile::filters / 2;
    float sum[Tile::factors][each];
    float total[Tile::split ? Tile::factors : 1][Tile::split ? each : 1];

    DEVICE void clear() {
        UNROLL
        for (int i = 0; i < Tile::factors * each; ++i) {
            sum[i / each][i % each] = 0.0f;
            if constexpr (Tile::split) total[i / each][i % each] = 0.0f;
        }
    }
    DEVICE void promote() {
        if constexpr (Tile::split) {
            UNROLL
            for (int i = 0; i < Tile::factors * each; ++i) {
                total[i / each][i % each] += sum[i / each][i % each];
                sum[i / each][i % each] = 0.0f;
            }
        }
    }
    DEVICE const float (&result(int factor) const)[each] {
        if constexpr (Tile::split)
            return total[factor];
        else
            return sum[factor];
    }

    static constexpr int group = 8 * Tile::row_bytes, step_bytes = 32;

    /// Issues a' b' of half a K tile.
    DEVICE void multiply_residuals(const Mec5Operands<Tile>& a, std::uint32_t weights, int first) {
        UNROLL
        for (int step = 0; step < Mec5Operands<Tile>::steps; ++step) {
            UNROLL
            for (int i = 0; i < Tile::factors; ++i)
                hopper::multiply<Tile::filters>(
                    sum[i], a.lo[step][i],
                    hopper::make_descriptor(weights + Tile::weight_plane + (first + step) * step_bytes, group));
        }
    }
    /// Issues the other products of half a K tile, with a split the small ones first.
    DEVICE void multiply(const Mec5Operands<Tile>& a, std::uint32_t weights, int first) {
        UNROLL
        for (int step = 0; step < Mec5Operands<Tile>::steps; ++step) {
            const std::uint32_t b = weights + (first + step) * step_bytes;
            UNROLL
            for (int i = 0; i < Tile::factors; ++i) {
                if constexpr (Tile::split) {
                    hopper::multiply<Tile::filters>(sum[i], a.lo[step][i], hopper::make_descriptor(b, group));
                    hopper::multiply<Tile::filters>(sum[i], a.hi[step][i],
                                                    hopper::make_descriptor(b + Tile::weight_plane, group));
                }
                hopper::multiply<Tile::filters>(sum[i], a.hi[step][i], hopper::make_descriptor(b, group));
            }
        }
    }
};

// Stores the sums of mec5's tiles: to y, or with split-K first through the distributed shared memory of the cluster.

/// Stores the sums of one operand, 64 outputs from first_output on, to y, NHWC.
template <int Filters>
DEVICE void store_mec5(const KernelShape& shape, const Mec5Tiling& tiling, const float (&sum)[Filters / 2],
                       int first_output, int first_filter, float* y) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32 % 4;
    UNROLL
    for (int below = 0; below < 2; ++below) {
        const int output = first_output + warp * 16 + lane / 4 + below * 8;
        if (output >= tiling.outputs) continue;
        float* row = y + static_cast<long long>(output) * shape.k;
        UNROLL
        for (int eight = 0; eight < Filters / 8; ++eight) {
            const int filter = first_filter + eight * 8 + lane % 4 * 2;
            const float left = sum[eight * 4 + below * 2], right = sum[eight * 4 + below * 2 + 1];
            if (shape.k % 2 == 0) {
                if (filter < shape.k) *reinterpret_cast<float2*>(row + filter) = make_float2(left, right);
            } else {
                if (filter < shape.k) row[filter] = left;
                if (filter + 1 < shape.k) row[filter + 1] = right;
            }
        }
    }
}

/// Stores them to this block's partial sums in shared memory, partial[outputs][partial_pitch]; first_output is counted
/// in the tile.
template <class Tile>
DEVICE void keep_mec5(const float (&sum)[Tile::filters / 2], int first_output, float* partial) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32 % 4;
    UNROLL
    for (int below = 0; below < 2; ++below) {
        float* row = partial + (first_output + warp * 16 + lane / 4 + below * 8) * Tile::partial_pitch + lane % 4 * 2;
        UNROLL
        for (int eight = 0; eight < Tile::filters / 8; ++eight)
            *reinterpret_cast<float2*>(row + eight * 8) =
                make_float2(sum[eight * 4 + below * 2], sum[eight * 4 + below * 2 + 1]);
    }
}

/// Adds the cluster's partial sums in the order of its blocks, so that the result is deterministic. Each block takes
/// every gridDim.z-th run of 256 fours. The multiplying threads call this.
template <class Tile>
DEVICE void add_mec5(const KernelShape& shape, const Mec5Tiling& tiling, const Mec5Place& place, const float* partial,
                     float* y) {
    constexpr int fours = Tile::filters / 4, threads = mec5_multiplying;
    const int blocks = gridDim.z;
    for (int i = static_cast<int>(threadIdx.x) - mec5_fetching + static_cast<int>(blockIdx.z) * threads;
         i < Tile::outputs * fours; i += threads * blocks) {
        const int output = place.first_output + i / fours, filter = place.first_filter + i % fours * 4;
        if (output >= tiling.outputs || filter >= shape.k) continue;
        float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        for (int block = 0; block < blocks; ++block) {
            const float4 part = from_cluster(partial, i / fours * Tile::partial_pitch + i % fours * 4, block);
            sum = make_float4(sum.x + part.x, sum.y + part.y, sum.z + part.z, sum.w + part.w);
        }
        float* to = y + static_cast<long long>(output) * shape.k + filter;
        if (shape.k % 4 == 0) {
            *reinterpret_cast<float4*>(to) = sum;
        } else {
            to[0] = sum.x;
            if (filter + 1 < shape.k) to[1] = sum.y;
            if (filter + 2 < shape.k) to[2] = sum.z;
            if (filter + 3 < shape.k) to[3] = sum.w;
        }
    }
}

/// The consumer: multiplies tile after tile. Each of two warpgroups calls this. The products of half a K tile are in
/// flight while the operands of the next half are loaded and split.
template <class Tile>
DEVICE void multiply_mec5(const KernelShape& shape, const Mec5Tiling& tiling, const Mec5Memory<Tile>& memory,
                          float* y) {
    constexpr int halves = 2;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32 % 4;
    const int first_row = (static_cast<int>(threadIdx.x) - mec5_fetching) / 128 * (Tile::outputs / 2);
    const std::uint32_t ring = hopper::shared_address(memory.ring);
    const int own_row = (first_row + warp * 16 + lane / 4) * Tile::row_bytes + lane / 4 * 16 + lane % 4 * 4;
    hopper::RingPosition at;
    Mec5Sums<Tile> sums;
    Mec5Operands<Tile> operands[halves];
    for (int tile = blockIdx.x; tile < tiling.tiles; tile += gridDim.x) {
        const Mec5Place place(tiling, tile, Tile::outputs, Tile::filters);
        sums.clear();
        hopper::Mbarrier* done = nullptr;  // read by the products in flight
        int unpromoted = 0;
        const auto release = [&] {  // by every lane: each has read for itself
            if (done) done->arrive();
            done = nullptr;
        };
        for (int k_tile = place.first_k_tile; k_tile < place.last_k_tile; ++k_tile, at.advance(Tile::stages)) {
            const std::uint32_t stage = ring + at.stage * Tile::stage_bytes;
            memory.there[at.stage].wait(at.parity);
            UNROLL
            for (int half = 0; half < halves; ++half) {
                Mec5Raw<Tile> raw;
                raw.load(stage + own_row, half * Mec5Operands<Tile>::steps);
                hopper::warpgroup_wait<1>();  // those of the same half of the K tile before
                if (half == 1) release();
                raw.split(operands[half]);
                const std::uint32_t weights = stage + Tile::input_bytes;
                const int first = half * Mec5Operands<Tile>::steps;
                if constexpr (Tile::split) {
                    if (tiling.both_residuals) {
                        hopper::warpgroup_arrive();
                        sums.multiply_residuals(operands[half], weights, first);
                    }
                }
                hopper::warpgroup_arrive();
                sums.multiply(operands[half], weights, first);
                hopper::warpgroup_commit();
            }
            done = &memory.free[at.stage];
            if (Tile::split && ++unpromoted == tiling.promotion_interval) {
                hopper::warpgroup_wait<0>();
                release();
                sums.promote();
                unpromoted = 0;
            }
        }
        hopper::warpgroup_wait<0>();
        release();
        sums.promote();
        if (gridDim.z == 1) {
            UNROLL
            for (int i = 0; i < Tile::factors; ++i)
                store_mec5<Tile::filters>(shape, tiling, sums.result(i), place.first_output + first_row + i * 64,
                                          place.first_filter, y);
        } else {
            // The cluster has one tile: nobody fetches any more, and the ring's memory now holds the partial sums.
            float* partial = reinterpret_cast<float*>(memory.ring);
            wait_for_role<2, mec5_multiplying>();
            UNROLL
            for (int i = 0; i < Tile::factors; ++i) keep_mec5<Tile>(sums.result(i), first_row + i * 64, partial);
            wait_for_cluster();
            add_mec5<Tile>(shape, tiling, place, partial, y);
        }
    }
}

/// Grid: x at most one block per tile, z the blocks of a cluster that share a tile's K tiles; where z is not 1, x is
/// the number of tiles. 'from': L, or x in NHWC; weights: the output of mec5_weights(); y: NHWC.
// clang-format off: one line for those who look for the kernel's name.
template <class Tile>
__launch_bounds__(mec5_fetching + mec5_multiplying, 1) KERNEL
    mec5(KernelShape shape, Mec5Tiling tiling, const float* from, const float* weights, float* y) {
    // clang-format on
    extern __shared__ unsigned char shared[];
    const Mec5Memory<Tile> memory(shared);
    if (threadIdx.x == 0) memory.init_mbarriers();
    __syncthreads();
    // The block begins with 3 x 168 registers for 128 threads each, and goes on with 56 + 2 x 224.
    if (threadIdx.x < mec5_fetching) {
        hopper::setmaxnreg_dec<56>();
        fetch_mec5<Tile>(shape, tiling, from, weights, memory);
        if (gridDim.z > 1) {
            __syncwarp();
            wait_for_cluster();  // the partial sums are there
            wait_for_cluster();  // nobody reads them any more
        }
    } else {
        hopper::setmaxnreg_inc<224>();
        multiply_mec5<Tile>(shape, tiling, memory, y);
        if (gridDim.z > 1) wait_for_cluster();  // nobody leaves while others read its shared memory
    }
}

}  // namespace convscope::CONVSCOPE_DIALECT
