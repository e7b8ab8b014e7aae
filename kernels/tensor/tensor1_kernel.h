// tensor1: dense convolution on Hopper's tensor cores, FP32 emulated by three FP16 products. CUDA-only (compute
// capability 9.0): wgmma, clusters and TMA have no meaning for single threads.
//
// It began as ECR by tiles. ECR keeps a window's non-zeros and multiplies nothing else, so that each weight that is
// loaded meets one input (docs/kernels/ecr4.md: that is the limit of ecr4). Here 8 x 8 windows stay together and each
// weight meets 64 inputs. Skipping is left only for a step of 16 channels in which all of a tile's inputs are zero.
// Single zeros never give that, so the time does not fall with the zeros.
//
// FP32 from FP16: a value is split into an FP16 high part and residual, both scaled (kernels/hopper/split_halves.h):
// a b = A B + A b' + a' B. The fourth product, a' b', is about FP32's own rounding error and left out. Accumulation in
// the tensor cores truncates, so their sums are promoted to FP32 totals every few taps ('flush').
//
// A work item is a tile of windows, Filters filters and a part of the channels. Without split-K a block is persistent
// and takes item after item; with it, the blocks of a cluster share a tile's channels and take one item each. As in
// fused6, 32 channels of the tile's input lie in shared memory once for all taps, and a tap's operand begins elsewhere
// in the same array. One thread fetches weights, three warps fetch and split input, a warpgroup multiplies. NHWC.
#pragma once

#include "kernels/hopper/matrix_product.h"
#include "kernels/tensor/tensor1_cluster.h"
#include "kernels/tensor/tensor1_split.h"
#include "kernels/tensor/tensor1_store.h"

namespace convscope::CONVSCOPE_DIALECT {

constexpr int tensor1_unit = 16;  ///< bytes: the unit of a descriptor's address

/// Issues the products of one step of 16 channels, the small ones first. The residuals lie 64 bytes behind.
template <int Filters>
DEVICE void multiply_step(float (&sum)[Filters / 2], std::uint64_t a, std::uint64_t b) {
    constexpr int residuals = 64 / tensor1_unit;
    hopper::multiply_halves<Filters>(sum, a + residuals, b);
    hopper::multiply_halves<Filters>(sum, a, b + residuals);
    hopper::multiply_halves<Filters>(sum, a, b);
}

/// Issues a tap's products as one group, for the steps whose bit is set in 'marks'.
template <int Filters>
DEVICE void multiply_tap(float (&sum)[Filters / 2], std::uint64_t a, std::uint64_t b, unsigned marks) {
    constexpr int step = 32 / tensor1_unit;
    constexpr unsigned both = 3;
    hopper::warpgroup_arrive();
    if (marks == both) {
        multiply_step<Filters>(sum, a, b);
        multiply_step<Filters>(sum, a + step, b + step);
        hopper::warpgroup_commit();
    } else {
        const int at = static_cast<int>(marks >> 1) * step;
        if (marks != 0) multiply_step<Filters>(sum, a + at, b + at);
        hopper::warpgroup_commit();
    }
}

/// The consumer: the warpgroup that multiplies.
template <int Filters>
DEVICE void multiply_tensor1(const KernelShape& shape, const Tensor1Tiling& tiling,
                             const Tensor1Memory<Filters>& memory, const float* filter_inverse_scale, float* y) {
    constexpr int row_units = tensor1_row_bytes / tensor1_unit;
    const int lane = threadIdx.x % 32, warp = (threadIdx.x - tensor1_fetching_threads) / 32;
    // The descriptors are made once and incremented: the compiler then keeps them in the registers that the tensor
    // cores read.
    const std::uint64_t inputs =
        hopper::make_descriptor(hopper::shared_address(memory.inputs), tiling.box_columns * tensor1_row_bytes);
    const std::uint64_t weights =
        hopper::make_descriptor(hopper::shared_address(memory.weights), 8 * tensor1_row_bytes);
    float* scales = memory.filter_inverse_scale + warp * Filters;
    hopper::RingPosition input, stage;
    float total[Filters / 2], sum[Filters / 2] = {};
    hopper::Mbarrier *done_weights = nullptr, *done_input = nullptr;  // read by the products in flight
    int unflushed = 0;
    float inverse_scale = 1.0f;
    const auto release = [&] {
        if (lane == 0 && done_weights) done_weights->arrive();
        if (lane == 0 && done_input) done_input->arrive();
        done_weights = done_input = nullptr;
    };
    const auto flush = [&] {
        hopper::warpgroup_wait<0>();
        release();
        UNROLL
        for (int i = 0; i < Filters / 2; ++i) {
            total[i] = fmaf(sum[i], inverse_scale, total[i]);
            sum[i] = 0.0f;
        }
        unflushed = 0;
    };
    for (int item = first_item(); item < tiling.items; item += items_at_once()) {
        const Tensor1Place place(tiling, item);
        __syncwarp();
        for (int i = lane; i < Filters; i += 32) scales[i] = filter_inverse_scale[place.group * Filters + i];
        UNROLL
        for (float& each : total) each = 0.0f;
        for (int slice = place.first_slice; slice < place.last_slice; ++slice) {
            for_phases(tiling, [&](int, int, int taps_down, int taps_across) {
                memory.input_split[input.stage].wait(input.parity);
                const float next_inverse_scale = memory.inverse_scale[input.stage];
                const unsigned marks = __shfl_sync(0xffffffffu, memory.marked(input.stage), 0);  // one for all lanes
                if (next_inverse_scale != inverse_scale && unflushed > 0) flush();
                inverse_scale = next_inverse_scale;
                std::uint64_t a = inputs + input.stage * (tiling.input_bytes / tensor1_unit);
                for (int down = 0; down < taps_down; ++down, a += (tiling.box_columns - taps_across) * row_units) {
                    for (int across = 0; across < taps_across; ++across, a += row_units, stage.advance(tiling.stages)) {
                        memory.weights_there[stage.stage].wait(stage.parity);
                        multiply_tap<Filters>(
                            sum, a, weights + stage.stage * (Tensor1Memory<Filters>::stage_bytes / tensor1_unit),
                            marks);
                        hopper::warpgroup_wait<1>();  // those of the tap before
                        release();
                        done_weights = &memory.weights_free[stage.stage];
                        if (++unflushed == tiling.flush) flush();
                    }
                }
                // Once the products have ended, the input is free as well.
                done_input = &memory.input_free[input.stage];
                if (unflushed == 0) release();
                input.advance(tensor1_inputs);
            });
        }
        flush();
        __syncwarp();
        UNROLL
        for (int i = 0; i < Filters / 2; ++i) total[i] *= scales[i / 4 * 8 + lane % 4 * 2 + i % 2];
        if (tiling.parts > 1) {
            asm volatile("bar.sync 2, %0;" ::"n"(tensor1_multiplying_threads)
                         : "memory");  // nobody multiplies any more
            add_in_cluster<Filters>(shape, tiling, total, place, reinterpret_cast<float*>(memory.weights), y);
        } else if (tiling.pool) {
            store_squares<Filters>(shape, total, place, place.row + warp * 2, y);
        } else {
            store_windows<Filters>(shape, total, place, place.row + warp * 2, y);
        }
    }
}

/// Grid: at most one block per item; with split-K exactly one, the parts of a tile along z as a cluster. x_map: boxes
/// of one phase x 32 channels of x, NHWC; unused where 'gathers'. weights and filter_inverse_scale: the output of
/// tensor1_weights() and filter_scales(). y: NHWC.
// clang-format off: one line for those who look for the kernel's name.
template <int Filters, bool gathers>
__launch_bounds__(tensor1_fetching_threads + tensor1_multiplying_threads, tensor1_blocks_per_sm) KERNEL
    tensor1(KernelShape shape, Tensor1Tiling tiling, const __grid_constant__ CUtensorMap x_map, const float* x,
            const unsigned char* weights, const float* filter_inverse_scale, float* y) {
    // clang-format on
    extern __shared__ unsigned char shared[];
    const Tensor1Memory<Filters> memory(shared, tiling);
    if (threadIdx.x == 0) memory.init_mbarriers(tiling);
    if (threadIdx.x == 32 && !gathers) hopper::prefetch_map(x_map);
    __syncthreads();
    // One warpgroup releases registers and the other takes them: 72 and 184 of 2 x 128.
    if (threadIdx.x < tensor1_fetching_threads) {
        hopper::setmaxnreg_dec<72>();
        if (threadIdx.x == 0) fetch_weights<Filters>(tiling, weights, memory);
        if (threadIdx.x >= 32) fetch_and_split<Filters, gathers>(shape, tiling, x_map, x, memory);
    } else {
        hopper::setmaxnreg_inc<184>();
        multiply_tensor1<Filters>(shape, tiling, memory, filter_inverse_scale, y);
    }
}

}  // namespace convscope::CONVSCOPE_DIALECT
