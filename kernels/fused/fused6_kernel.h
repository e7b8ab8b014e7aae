// fused6: the report's layer on tensor cores, in TF32. CUDA-only (compute capability 9.0): wgmma and TMA have no
// meaning for single threads.
//
// Implicit GEMM writes a convolution as one product and reads each input r s times. Here it is a sum of r s products,
// one for each tap (kh, kw): [outputs][c] with the input shifted by the tap, times [c][filters]. In shared memory a
// slice of 32 channels of the tile's input is an array of pixels of 128 bytes, and 8 x 8 outputs are an operand of 64
// rows: groups of 8 neighbouring pixels, one row of the map apart. Shifted by a tap it is the same array, begun kh rows
// and kw pixels later. So the input is copied once for all r s taps, and only the weights stream through, tap after
// tap.
//
// A block is persistent: it takes tile after tile. It is warp-specialised: one warpgroup fetches (a warp the weights,
// the others the input, which they also round to TF32, since the tensor cores would truncate it); two multiply, each 8
// rows of the tile. Layout NHWC. Among an operand's 64 outputs a thread holds two, one above the other, for its
// filters; the neighbours are 4 lanes away. So 2x2 pooling is two maxima and a shuffle, and only its results are
// written.
#pragma once

#include "kernels/fused/fused6_input.h"
#include "kernels/fused/fused6_memory.h"
#include "kernels/fused/fused6_store.h"
#include "kernels/hopper/matrix_product.h"
#include "kernels/simt/dialect.h"
#include "kernels/simt/kernel_shape.h"

namespace convscope::CONVSCOPE_DIALECT {

/// Copies the weights tap by tap, slice by slice, tile by tile. One thread calls this.
template <int Filters, int Columns>
DEVICE void fetch_weights(const Fused6Tiling& tiling, int taps, const float* weights,
                          const Fused6Memory<Filters>& memory) {
    constexpr int bytes = Fused6Memory<Filters>::stage_bytes;
    hopper::RingPosition at;
    for (int tile = blockIdx.x; tile < tiling.tiles; tile += gridDim.x) {
        const int filter = Fused6Place<Columns>(tiling, tile).group * Filters;
        const float* from = weights + filter * fused6_slice;
        for (int i = 0; i < tiling.slices * taps; ++i, at.advance(tiling.stages)) {
            hopper::Mbarrier& there = memory.weights_there[at.stage];
            memory.weights_free[at.stage].wait(at.parity ^ 1);
            there.arrive_expect_tx(bytes);
            hopper::copy_bulk(memory.weights + at.stage * bytes, from, bytes, there);
            from += static_cast<long long>(tiling.weight_pitch) * fused6_slice;
        }
    }
}

/// The consumer: multiplies 8 rows of tile after tile, Columns / 8 operands of 64 outputs. Two warpgroups call this.
template <int Filters, int Columns>
DEVICE void multiply_tiles(const KernelShape& shape, const Fused6Tiling& tiling, const Fused6Memory<Filters>& memory,
                           float* y) {
    constexpr int factors = Columns / 8, pixel_bytes = fused6_slice * 4;
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
        for (int slice = 0; slice < tiling.slices; ++slice, input.advance(fused6_inputs)) {
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
