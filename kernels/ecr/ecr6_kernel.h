// ecr6: ECR by tiles, on tensor cores, in FP32. CUDA-only (compute capability 9.0): wgmma and the copy engine have no
// meaning for single threads.
//
// ECR keeps a window's non-zeros and multiplies nothing else. One window at a time, each weight that is loaded meets
// one input (docs/kernels/ecr4.md: that is the limit of ecr4). Here 8 x 8 windows stay together, so that each weight
// meets 64 inputs, and what is kept or skipped is a step of 8 channels: where all of a tile's inputs of 8 channels are
// zero, as in channels that ReLU has silenced, their products are left out, which is found while the input is
// converted.
//
// FP32 from TF32: a value is split into what TF32 holds of it and the rest, which TF32 holds but for its last 2 bits.
// a b = A B + A b' + a' B, without a' b', which is about FP32's own rounding. The tensor cores cut when they add, so
// their sums are added to FP32 totals every few taps ('flush').
//
// A block takes item after item of the work: a tile of 8 Groups x 8 windows, Filters filters and a part of the
// channels. As in fused6 the tile's input of 32 channels lies in shared memory once for all taps, and a tap's factor is
// the same array begun elsewhere. One warpgroup fetches (a warp the weights, one the input), one splits the input that
// has arrived; Groups multiply, 8 rows of the tile each. Layout NHWC.
#pragma once

#include "kernels/ecr/ecr6_input.h"
#include "kernels/ecr/ecr6_split.h"
#include "kernels/ecr/ecr6_store.h"
#include "kernels/hopper/matrix_product.h"
#include "kernels/hopper/next_kernel.h"

namespace convscope::CONVSCOPE_DIALECT {

/// One step of 8 channels: the three products that make FP32 of TF32. The small ones first.
template <int Filters>
DEVICE void multiply_split(float (&sum)[Filters / 2], std::uint32_t a, std::uint32_t a_rest, int a_pitch,
                           std::uint32_t b, std::uint32_t b_rest) {
    constexpr int b_pitch = 8 * ecr6_slice * 4;
    hopper::multiply<Filters>(sum, hopper::factor(a_rest, a_pitch), hopper::factor(b, b_pitch));
    hopper::multiply<Filters>(sum, hopper::factor(a, a_pitch), hopper::factor(b_rest, b_pitch));
    hopper::multiply<Filters>(sum, hopper::factor(a, a_pitch), hopper::factor(b, b_pitch));
}

/// A warpgroup that multiplies.
template <int Filters, int Groups>
DEVICE void multiply_ecr6(const KernelShape& shape, const Ecr6Tiling& tiling, const Ecr6Memory<Filters>& memory,
                          float* y) {
    constexpr int pixel_bytes = ecr6_slice * 4, step_bytes = pixel_bytes / ecr6_steps,
                  half = Ecr6Memory<Filters>::half_stage;
    constexpr unsigned all_steps = (1u << ecr6_steps) - 1;
    const int first_row = (threadIdx.x / 128 - 2) * 8, lane = threadIdx.x % 32, warp = threadIdx.x / 32 % 4;
    const int a_pitch = tiling.box_columns * pixel_bytes;
    const std::uint32_t inputs = hopper::shared_address(memory.inputs),
                        weights = hopper::shared_address(memory.weights);
    hopper::RingPosition input, stage;
    for (int item = blockIdx.x; item < tiling.items; item += gridDim.x) {
        const Ecr6Place<Groups> place(tiling, item);
        float total[Filters / 2] = {}, sum[Filters / 2] = {};
        hopper::Arrival *done_weights = nullptr, *done_input = nullptr;  // what the products under way still read
        int unflushed = 0;
        const auto release = [&] {
            if (lane == 0 && done_weights) done_weights->arrive();
            if (lane == 0 && done_input) done_input->arrive();
            done_weights = done_input = nullptr;
        };
        const auto flush = [&] {
            hopper::await_products<0>();
            release();
            UNROLL
            for (int i = 0; i < Filters / 2; ++i) {
                total[i] += sum[i];
                sum[i] = 0.0f;
            }
            unflushed = 0;
        };
        for (int slice = place.first_slice; slice < place.last_slice; ++slice) {
            for_phases(tiling, [&](int, int, int taps_down, int taps_across) {
                memory.input_split[input.stage].wait(input.parity);
                const unsigned marks = memory.marked(input.stage);
                const std::uint32_t coarse = inputs + input.stage * 2 * tiling.input_bytes;
                for (int down = 0; down < taps_down; ++down) {
                    for (int across = 0; across < taps_across; ++across, stage.advance(tiling.stages)) {
                        memory.weights_there[stage.stage].wait(stage.parity);
                        const std::uint32_t a =
                            coarse + ((first_row + down) * tiling.box_columns + across) * pixel_bytes;
                        const std::uint32_t b = weights + stage.stage * 2 * half;
                        hopper::begin_products();
                        if (marks == all_steps) {
                            UNROLL
                            for (int k = 0; k < pixel_bytes; k += step_bytes)
                                multiply_split<Filters>(sum, a + k, a + tiling.input_bytes + k, a_pitch, b + k,
                                                        b + half + k);
                        } else {
                            NO_UNROLL
                            for (unsigned left = marks; left != 0; left &= left - 1) {
                                const int k = (__ffs(left) - 1) * step_bytes;
                                multiply_split<Filters>(sum, a + k, a + tiling.input_bytes + k, a_pitch, b + k,
                                                        b + half + k);
                            }
                        }
                        hopper::end_product_group();
                        hopper::await_products<1>();  // those of the tap before
                        release();
                        done_weights = &memory.weights_free[stage.stage];
                        if (++unflushed == tiling.flush) flush();
                    }
                }
                // Where the products have ended already, so has the input's use.
                done_input = &memory.input_free[input.stage];
                if (unflushed == 0) release();
                input.advance(tiling.inputs);
            });
        }
        flush();
        store_ecr6<Filters>(shape, tiling, total, place.image, place.row + first_row + warp * 2, place.column,
                            place.group * Filters, place.part, y);
    }
}

/// Grid: no more blocks than items. x_map: boxes of one phase x 32 channels of x, NHWC, unused where the tiling
/// gathers; weights as ecr6_weights() leaves them; y: NHWC where there is one part, else partial sums, [parts][n p
/// q][leading].
// clang-format off: one line for those who look for the kernel's name.
template <int Filters, int Groups>
__launch_bounds__(128 * (Groups + 2), ecr6_blocks_per_sm(Filters, Groups)) KERNEL
    ecr6(KernelShape shape, Ecr6Tiling tiling, const __grid_constant__ CUtensorMap x_map, const float* x,
         const float* weights, float* y) {
    // clang-format on
    extern __shared__ unsigned char shared[];
    Ecr6Memory<Filters> memory(shared, tiling);
    if (threadIdx.x == 0) memory.prepare_arrivals(tiling, 4 * Groups);
    __syncthreads();
    hopper::let_next_kernel_start();
    // What two warpgroups hand back the others take: 40 + 72 + 2 x 200 registers are 4 x 128; 40 + 56 + 144 are 3 x 80,
    // for each of two blocks.
    constexpr bool alone = ecr6_blocks_per_sm(Filters, Groups) == 1;
    if (threadIdx.x < 128) {
        hopper::give_up_registers<40>();
        if (threadIdx.x == 0) fetch_ecr6_weights<Filters, Groups>(tiling, weights, memory);
        if (threadIdx.x == 32 && !tiling.gathers) fetch_ecr6_boxes<Filters, Groups>(shape, tiling, x_map, memory);
    } else if (threadIdx.x < 256) {
        hopper::give_up_registers<alone ? 72 : 56>();
        split_ecr6_input<Filters, Groups>(shape, tiling, x, memory);
    } else {
        hopper::take_registers<alone ? 200 : 144>();
        multiply_ecr6<Filters, Groups>(shape, tiling, memory, y);
    }
}

}  // namespace convscope::CONVSCOPE_DIALECT
