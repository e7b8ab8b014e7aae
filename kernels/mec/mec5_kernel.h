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
// one slice, which have few roundings to hide it behind. The weights are split once per layer, the rows on their way
// from shared memory to the registers that the tensor cores read. Accumulation in the tensor cores truncates, so their
// sums are promoted to FP32 totals every few slices ('flush').
//
// The kernel is warp-specialised: one warpgroup fetches, two multiply half of the tile's outputs each, and a ring of
// slices with mbarriers connects them. A block is persistent and takes tile after tile. Split-K: where there are fewer
// tiles than SMs, the blocks of a cluster share a tile's slices and add up through distributed shared memory.
#pragma once

#include "kernels/mec/mec5_fetch.h"
#include "kernels/mec/mec5_store.h"
#include "kernels/mec/mec5_sums.h"

namespace convscope::CONVSCOPE_DIALECT {

/// The consumer: multiplies tile after tile. Each of two warpgroups calls this. The products of half a slice are in
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
        int unflushed = 0;
        const auto release = [&] {  // by every lane: each has read for itself
            if (done) done->arrive();
            done = nullptr;
        };
        for (int slice = place.first_slice; slice < place.last_slice; ++slice, at.advance(Tile::stages)) {
            const std::uint32_t stage = ring + at.stage * Tile::stage_bytes;
            memory.there[at.stage].wait(at.parity);
            UNROLL
            for (int half = 0; half < halves; ++half) {
                Mec5Raw<Tile> raw;
                raw.load(stage + own_row, half * Mec5Operands<Tile>::steps);
                hopper::warpgroup_wait<1>();  // those of the same half of the slice before
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
            if (Tile::split && ++unflushed == tiling.flush) {
                hopper::warpgroup_wait<0>();
                release();
                sums.flush();
                unflushed = 0;
            }
        }
        hopper::warpgroup_wait<0>();
        release();
        sums.flush();
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

/// Grid: x at most one block per tile, z the blocks of a cluster that share a tile's slices; where z is not 1, x is the
/// number of tiles. 'from': L, or x in NHWC; weights: the output of mec5_weights(); y: NHWC.
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
