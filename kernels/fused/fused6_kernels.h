// fused6: the report's layer on tensor cores, in TF32. CUDA-only (compute capability 9.0): wgmma and TMA have no
// meaning for single threads.
//
// Implicit GEMM writes a convolution as one product and reads each input r s times. Here it is a sum of r s products,
// one for each tap (kh, kw): [outputs][c] with the input shifted by the tap, times [c][filters]. In shared memory a
// K tile of 32 channels of the tile's input is an array of pixels of 128 bytes, and 8 x 8 outputs are an operand of 64
// rows: groups of 8 neighbouring pixels, one row of the map apart. Shifted by a tap it is the same array, begun kh rows
// and kw pixels later. So the input is copied once for all r s taps, and only the weights stream through, tap after
// tap.
//
// A block is persistent: it takes tile after tile. It is warp-specialised: one warpgroup fetches (a warp the weights,
// the others the input, which they also round to TF32, since the tensor cores would truncate it); two multiply, each 8
// rows of the tile. Layout NHWC. Among an operand's 64 outputs a thread holds two, one above the other, for its
// filters; the neighbours are 4 lanes away. So 2x2 pooling is two maxima and a shuffle, and only its results are
// written.
//
// In the order in which it runs: shared memory, weights, fetching, products, results.
#pragma once

#include "kernels/fused/fused6_tile.h"
#include "kernels/hopper/bulk_copy.h"
#include "kernels/hopper/matrix_product.h"
#include "kernels/hopper/mbarrier.h"
#include "kernels/hopper/rounding.h"
#include "kernels/layers/pooling.h"
#include "kernels/simt/dialect.h"
#include "kernels/simt/kernel_shape.h"

namespace convscope::CONVSCOPE_DIALECT {

// Lays out the shared memory of a fused6 block and orders its tiles.

/// A block's shared memory: inputs[2][input_bytes], weights[stages][Filters 128], mbarriers.
template <int Filters>
struct Fused6Memory {
    static constexpr int stage_bytes = Filters * 128;
    unsigned char *inputs, *weights;
    /// One mbarrier per input buffer for each state: full, rounded, empty; per weight stage: full, empty.
    hopper::Mbarrier *input_there, *input_rounded, *input_free, *weights_there, *weights_free;

    DEVICE Fused6Memory(unsigned char* start, const Fused6Tiling& tiling) {
        inputs = start + (-hopper::shared_address(start) & (fused6_alignment - 1));
        weights = inputs + fused6_inputs * tiling.input_bytes;
        input_there = reinterpret_cast<hopper::Mbarrier*>(weights + tiling.stages * stage_bytes);
        input_rounded = input_there + fused6_inputs;
        input_free = input_rounded + fused6_inputs;
        weights_there = input_free + fused6_inputs;
        weights_free = weights_there + tiling.stages;
    }
    DEVICE void init_mbarriers(const Fused6Tiling& tiling) {
        constexpr int rounding_warps = 3, multiplying_warps = 8;
        for (int i = 0; i < fused6_inputs; ++i) {
            input_there[i].init(1);
            input_rounded[i].init(rounding_warps);
            input_free[i].init(multiplying_warps);
        }
        for (int i = 0; i < tiling.stages; ++i) {
            weights_there[i].init(1);
            weights_free[i].init(multiplying_warps);
        }
        hopper::fence_mbarrier_init();
    }
};

/// Decodes a tile's number into its position. Neighbouring numbers share their input.
template <int Columns>
struct Fused6Place {
    int image, row, column, group;
    DEVICE Fused6Place(const Fused6Tiling& tiling, int tile) {
        group = tile % tiling.filter_groups;
        const int spot = tile / tiling.filter_groups;
        column = spot % tiling.tiles_across * Columns;
        row = spot / tiling.tiles_across % tiling.tiles_down * fused6_rows;
        image = spot / tiling.tiles_across / tiling.tiles_down;
    }
};

// Prepares fused6's weights for its bulk copies. A framework does this once per layer.

/// prepared, [K tile][tap][weight_pitch][32 channels], from w, KCRS: rounded to TF32, zeros beyond k and c; the 16
/// bytes i of filter f lie at i ^ f % 8, as shared memory needs them. One thread per element.
KERNEL fused6_weights(KernelShape shape, Fused6Tiling tiling, const float* w, float* prepared) {
    const long long place = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    const int taps = shape.r * shape.s;
    if (place >= static_cast<long long>(tiling.k_tiles) * taps * tiling.weight_pitch * fused6_tile_k) return;
    const int within = static_cast<int>(place % fused6_tile_k);
    const long long row = place / fused6_tile_k;
    const int filter = static_cast<int>(row % tiling.weight_pitch);
    const int tap = static_cast<int>(row / tiling.weight_pitch % taps);
    const int k_tile = static_cast<int>(row / tiling.weight_pitch / taps);
    const int channel = k_tile * fused6_tile_k + (within / 4 ^ filter % 8) * 4 + within % 4;
    float value = 0.0f;
    if (filter < shape.k && channel < shape.c)
        value = w[(static_cast<long long>(filter) * shape.c + channel) * taps + tap];
    prepared[place] = hopper::rounded_to_tf32(value);
}

// Fetches the input of fused6's tiles into shared memory and rounds it to TF32.

constexpr int fused6_input_threads = 96;  // warps 1 to 3

/// x, NHWC, with its tensor map. TMA needs c to be a multiple of 4; otherwise 'map' is unused and threads gather x.
struct Fused6Input {
    const CUtensorMap& map;
    const float* x;
};

/// Rounds a K tile of input to TF32 in place.
DEVICE void round_input(unsigned char* input, int bytes, int thread) {
    float4* fours = reinterpret_cast<float4*>(input);
    _Pragma("unroll 4") for (int i = thread; i < bytes / 16; i += fused6_input_threads) fours[i] =
        hopper::rounded_to_tf32(fours[i]);
}

/// Does by ordinary loads and stores what TMA and round_input() do: 4 channels at a time, the 16 bytes i of pixel j at
/// i ^ j % 8.
DEVICE void gather_input(const KernelShape& shape, const Fused6Tiling& tiling, const float* x, int image, int first_row,
                         int first_column, int first_channel, unsigned char* input, int thread) {
    constexpr int chunks = fused6_tile_k / 4;
    float4* fours = reinterpret_cast<float4*>(input);
    for (int i = thread; i < tiling.box_rows * tiling.box_columns * chunks; i += fused6_input_threads) {
        const int pixel = i / chunks, chunk = i % chunks, channel = first_channel + chunk * 4;
        const int row = first_row + pixel / tiling.box_columns, column = first_column + pixel % tiling.box_columns;
        const bool inside = row >= 0 && row < shape.h && column >= 0 && column < shape.w;
        const long long place =
            ((static_cast<long long>(image) * shape.h + row) * shape.w + column) * shape.c + channel;
        float four[4];
        UNROLL
        for (int j = 0; j < 4; ++j) four[j] = inside && channel + j < shape.c ? x[place + j] : 0.0f;
        fours[pixel * chunks + (chunk ^ pixel % 8)] =
            hopper::rounded_to_tf32(make_float4(four[0], four[1], four[2], four[3]));
    }
}

/// Fetches the input K tile by K tile, tile by tile. Three warps call this.
template <int Filters, int Columns>
DEVICE void fetch_input(const KernelShape& shape, const Fused6Tiling& tiling, const Fused6Input& from,
                        const Fused6Memory<Filters>& memory) {
    const int thread = threadIdx.x - 32, bytes = tiling.box_rows * tiling.box_columns * fused6_tile_k * 4;
    const bool boxes = shape.c % 4 == 0;
    hopper::RingPosition at;
    for (int tile = blockIdx.x; tile < tiling.tiles; tile += gridDim.x) {
        const Fused6Place<Columns> place(tiling, tile);
        const int row = place.row - shape.pad_h, column = place.column - shape.pad_w;
        for (int k_tile = 0; k_tile < tiling.k_tiles; ++k_tile, at.advance(fused6_inputs)) {
            hopper::Mbarrier& there = memory.input_there[at.stage];
            unsigned char* input = memory.inputs + at.stage * tiling.input_bytes;
            const int channel = k_tile * fused6_tile_k;
            if (boxes) {
                if (thread == 0) {
                    memory.input_free[at.stage].wait(at.parity ^ 1);
                    there.arrive_expect_tx(bytes);
                    hopper::copy_box(input, from.map, channel, column, row, place.image, there);
                }
                there.wait(at.parity);
                round_input(input, bytes, thread);
            } else {
                memory.input_free[at.stage].wait(at.parity ^ 1);
                gather_input(shape, tiling, from.x, place.image, row, column, channel, input, thread);
            }
            hopper::fence_proxy_async();
            __syncwarp();
            if (thread % 32 == 0) memory.input_rounded[at.stage].arrive();
        }
    }
}

// Stores fused6's results to y, NHWC. A warp holds the sums of two rows of 8 outputs of the convolution: lane l has
// column l / 4, and in every 8 filters 2 (l % 4) and the next.

/// Applies ReLU and 2x2 pooling to a warp's sums: row 'row' of the convolution and the next, 8 columns from 'column'
/// on. Every lane gets all of its filters' results of its 2x2 window, and writes those of every other eight.
template <int Filters>
DEVICE void store_pooled(const KernelShape& shape, const float (&sum)[Filters / 2], int image, int row, int column,
                         int first_filter, float* y) {
    const int lane = threadIdx.x % 32, odd = lane / 4 % 2;
    const int out_row = row / 2, out_column = (column + lane / 4) / 2;
    const bool inside = out_row < shape.out_h && out_column < shape.out_w;
    const long long pixel = (static_cast<long long>(image) * shape.out_h + out_row) * shape.out_w + out_column;
    UNROLL
    for (int eight = 0; eight < Filters / 8; eight += 2) {
        float largest[4];
        UNROLL
        for (int i = 0; i < 4; ++i) {
            const int j = (eight + i / 2) * 4 + i % 2;
            const float own = max_or_nan(max_or_nan(0.0f, sum[j]), sum[j + 2]);
            largest[i] = max_or_nan(own, __shfl_xor_sync(0xffffffffu, own, 4));
        }
        const int filter = first_filter + (eight + odd) * 8 + lane % 4 * 2;
        if (!inside) continue;
        if (filter < shape.k) y[pixel * shape.k + filter] = odd ? largest[2] : largest[0];
        if (filter + 1 < shape.k) y[pixel * shape.k + filter + 1] = odd ? largest[3] : largest[1];
    }
}

/// Stores a warp's sums without pooling and without ReLU.
template <int Filters>
DEVICE void store_unpooled(const KernelShape& shape, const float (&sum)[Filters / 2], int image, int row, int column,
                           int first_filter, float* y) {
    const int lane = threadIdx.x % 32, q = column + lane / 4;
    UNROLL
    for (int j = 0; j < Filters / 2; ++j) {
        const int p = row + j / 2 % 2, filter = first_filter + j / 4 * 8 + lane % 4 * 2 + j % 2;
        if (p < shape.p && q < shape.q && filter < shape.k)
            y[((static_cast<long long>(image) * shape.p + p) * shape.q + q) * shape.k + filter] = sum[j];
    }
}

/// Copies the weights tap by tap, K tile by K tile, tile by tile. One thread calls this.
template <int Filters, int Columns>
DEVICE void fetch_weights(const Fused6Tiling& tiling, int taps, const float* weights,
                          const Fused6Memory<Filters>& memory) {
    constexpr int bytes = Fused6Memory<Filters>::stage_bytes;
    hopper::RingPosition at;
    for (int tile = blockIdx.x; tile < tiling.tiles; tile += gridDim.x) {
        const int filter = Fused6Place<Columns>(tiling, tile).group * Filters;
        const float* from = weights + filter * fused6_tile_k;
        for (int i = 0; i < tiling.k_tiles * taps; ++i, at.advance(tiling.stages)) {
            hopper::Mbarrier& there = memory.weights_there[at.stage];
            memory.weights_free[at.stage].wait(at.parity ^ 1);
            there.arrive_expect_tx(bytes);
            hopper::copy_bulk(memory.weights + at.stage * bytes, from, bytes, there);
            from += static_cast<long long>(tiling.weight_pitch) * fused6_tile_k;
        }
    }
}

/// The consumer: multiplies 8 rows of tile after tile, Columns / 8 operands of 64 outputs. Two warpgroups call this.
template <int Filters, int Columns>
DEVICE void multiply_tiles(const KernelShape& shape, const Fused6Tiling& tiling, const Fused6Memory<Filters>& memory,
                           float* y) {
    constexpr int factors = Columns / 8, pixel_bytes = fused6_tile_k * 4;
    const int first_row = (threadIdx.x / 128 - 1) * 8, lane = threadIdx.x % 32, warp = threadIdx.x / 32 % 4;
    const std::uint32_t inputs = hopper::shared_address(memory.inputs),
                        weights = hopper::shared_address(memory.weights);
    hopper::RingPosition input, stage;
    for (int tile = blockIdx.x; tile < tiling.tiles; tile += gridDim.x) {
        float sum[factors][Filters / 2] = {};
        hopper::Mbarrier *done_weights = nullptr, *done_input = nullptr;  // read by the products in flight
        const auto release = [&] {
            if (lane == 0 && done_weights) done_weights->arrive();
            if (lane == 0 && done_input) done_input->arrive();
        };
        for (int k_tile = 0; k_tile < tiling.k_tiles; ++k_tile, input.advance(fused6_inputs)) {
            memory.input_rounded[input.stage].wait(input.parity);
            for (int kh = 0; kh < shape.r; ++kh) {
                for (int kw = 0; kw < shape.s; ++kw, stage.advance(tiling.stages)) {
                    memory.weights_there[stage.stage].wait(stage.parity);
                    const std::uint32_t a = inputs + input.stage * tiling.input_bytes +
                                            ((first_row + kh) * tiling.box_columns + kw) * pixel_bytes;
                    const std::uint32_t b = weights + stage.stage * Fused6Memory<Filters>::stage_bytes;
                    hopper::warpgroup_arrive();
                    UNROLL
                    for (int k = 0; k < pixel_bytes; k += 32) {
                        UNROLL
                        for (int i = 0; i < factors; ++i)
                            hopper::multiply<Filters>(
                                sum[i],
                                hopper::make_descriptor(a + i * 8 * pixel_bytes + k, tiling.box_columns * pixel_bytes),
                                hopper::make_descriptor(b + k, 8 * pixel_bytes));
                    }
                    hopper::warpgroup_commit();
                    hopper::warpgroup_wait<1>();  // those of the tap before
                    release();
                    done_weights = &memory.weights_free[stage.stage];
                    done_input = nullptr;
                }
            }
            done_input = &memory.input_free[input.stage];
        }
        hopper::warpgroup_wait<0>();
        release();
        const Fused6Place<Columns> place(tiling, tile);
        const int row = place.row + first_row + warp * 2;
        UNROLL
        for (int i = 0; i < factors; ++i) {
            if (shape.pool_h > 0)
                store_pooled<Filters>(shape, sum[i], place.image, row, place.column + i * 8, place.group * Filters, y);
            else
                store_unpooled<Filters>(shape, sum[i], place.image, row, place.column + i * 8, place.group * Filters,
                                        y);
        }
    }
}

/// Grid: one block per SM, or one per tile where there are fewer tiles. A tile: 16 x Columns outputs of Filters
/// filters. x_map: boxes of the tile with its margin x 32 channels of x, NHWC; weights: the output of fused6_weights();
/// y: NHWC.
// clang-format off: one line for those who look for the kernel's name.
template <int Filters, int Columns>
__launch_bounds__(fused6_threads, 1) KERNEL
    fused6(KernelShape shape, Fused6Tiling tiling, const __grid_constant__ CUtensorMap x_map, const float* x,
           const float* weights, float* y) {
    // clang-format on
    extern __shared__ unsigned char shared[];
    Fused6Memory<Filters> memory(shared, tiling);
    if (threadIdx.x == 0) memory.init_mbarriers(tiling);
    __syncthreads();
    // The block begins with 3 x 168 registers for 128 threads each, and goes on with 56 + 2 x 224.
    if (threadIdx.x < 128) {
        hopper::setmaxnreg_dec<56>();
        if (threadIdx.x == 0) fetch_weights<Filters, Columns>(tiling, shape.r * shape.s, weights, memory);
        if (threadIdx.x >= 32) fetch_input<Filters, Columns>(shape, tiling, {x_map, x}, memory);
    } else {
        hopper::setmaxnreg_inc<224>();
        multiply_tiles<Filters, Columns>(shape, tiling, memory, y);
    }
}

}  // namespace convscope::CONVSCOPE_DIALECT
