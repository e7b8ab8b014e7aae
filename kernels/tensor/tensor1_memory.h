// Lays out the shared memory of a tensor1 block and orders its work items.
#pragma once

#include "kernels/hopper/mbarrier.h"
#include "kernels/hopper/quotient.h"
#include "kernels/simt/dialect.h"
#include "kernels/tensor/tensor1_tile.h"

namespace convscope::CONVSCOPE_DIALECT {

/// A block's shared memory: inputs[2][input_bytes], weights[stages][Filters][128 bytes],
/// filter_inverse_scale[4 warps][Filters], mbarriers, and inverse_scale, largest and marks of the inputs.
/// The sums that a cluster adds up reuse the memory of the weights.
template <int Filters>
struct Tensor1Memory {
    static constexpr int stage_bytes = Filters * tensor1_row_bytes;
    unsigned char *inputs, *weights;
    /// One mbarrier per input buffer for each state: full, split, empty; per weight stage: full, empty.
    hopper::Mbarrier *input_there, *input_split, *input_free, *weights_there, *weights_free;
    float* filter_inverse_scale;  ///< [multiplying warp][Filters]: factors of the filters' sums
    float* inverse_scale;         ///< [2]: factors of the inputs' sums
    unsigned* largest;            ///< [2][splitting warp]: bits of the largest magnitude that the warp saw
    unsigned* marks;              ///< [2][splitting warp]: bit i: the warp saw a non-zero among the channels of step i

    DEVICE Tensor1Memory(unsigned char* start, const Tensor1Tiling& tiling) {
        inputs = start + (-hopper::shared_address(start) & (tensor1_alignment - 1));
        weights = inputs + tensor1_inputs * tiling.input_bytes;
        filter_inverse_scale = reinterpret_cast<float*>(weights + tiling.stages * stage_bytes);
        input_there =
            reinterpret_cast<hopper::Mbarrier*>(filter_inverse_scale + tensor1_multiplying_threads / 32 * Filters);
        input_split = input_there + tensor1_inputs;
        input_free = input_split + tensor1_inputs;
        weights_there = input_free + tensor1_inputs;
        weights_free = weights_there + tiling.stages;
        inverse_scale = reinterpret_cast<float*>(weights_free + tiling.stages);
        largest = reinterpret_cast<unsigned*>(inverse_scale + tensor1_inputs);
        marks = largest + tensor1_inputs * tensor1_splitting_warps;
    }
    DEVICE void init_mbarriers(const Tensor1Tiling& tiling) const {
        constexpr int multiplying_warps = tensor1_multiplying_threads / 32;
        for (int i = 0; i < tensor1_inputs; ++i) {
            input_there[i].init(1);
            input_split[i].init(tensor1_splitting_warps);
            input_free[i].init(multiplying_warps);
        }
        for (int i = 0; i < tiling.stages; ++i) {
            weights_there[i].init(1);
            weights_free[i].init(multiplying_warps);
        }
        hopper::fence_mbarrier_init();
    }
    DEVICE unsigned char* input(int stage, const Tensor1Tiling& tiling) const {
        return inputs + stage * tiling.input_bytes;
    }
    DEVICE unsigned marked(int stage) const {
        const unsigned* of_warp = marks + stage * tensor1_splitting_warps;
        return of_warp[0] | of_warp[1] | of_warp[2];
    }
    DEVICE unsigned largest_of(int stage) const {
        const unsigned* of_warp = largest + stage * tensor1_splitting_warps;
        return max(max(of_warp[0], of_warp[1]), of_warp[2]);
    }
};

/// Replaces 'dividend' by the quotient and returns the remainder.
DEVICE int remainder(unsigned& dividend, const Divisor& divisor) {
    const unsigned quotient = hopper::quotient(dividend, divisor);
    const unsigned left = dividend - quotient * divisor.by;
    dividend = quotient;
    return static_cast<int>(left);
}

/// Decodes a work item. The part varies fastest, so that the parts of a tile are a cluster's blocks; then the filter
/// group, so that neighbouring items share their input.
struct Tensor1Place {
    int image, row, column, group, part, first_slice, last_slice;
    DEVICE Tensor1Place(const Tensor1Tiling& tiling, int item) {
        unsigned left = item;
        part = remainder(left, tiling.by_parts);
        group = remainder(left, tiling.by_filter_groups);
        column = remainder(left, tiling.by_tiles_across) * tensor1_side;
        row = remainder(left, tiling.by_tiles_down) * tensor1_side;
        image = left;
        first_slice = part * tiling.slices_of_part;
        last_slice = min(first_slice + tiling.slices_of_part, tiling.slices);
    }
};

/// The items of a block: all of a grid's z belong to one tile, as the blocks of its cluster.
DEVICE int first_item() {
    return static_cast<int>(blockIdx.x * gridDim.z + blockIdx.z);
}
DEVICE int items_at_once() {
    return static_cast<int>(gridDim.x * gridDim.z);
}

/// Calls 'box' for each phase of the strides that any tap reads, with its first row and column and its taps down and
/// across: with a stride of 2 the taps of even rows read other pixels than those of odd rows, and each of the up to
/// four phases reads a box of its own.
template <class Box>
DEVICE void for_phases(const Tensor1Tiling& tiling, Box box) {
    for (int row = 0; row < min(tiling.step_h, tiling.taps_h); ++row)
        for (int column = 0; column < min(tiling.step_w, tiling.taps_w); ++column)
            box(row, column, (tiling.taps_h - row + tiling.step_h - 1) / tiling.step_h,
                (tiling.taps_w - column + tiling.step_w - 1) / tiling.step_w);
}

}  // namespace convscope::CONVSCOPE_DIALECT
