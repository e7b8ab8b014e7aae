// The operands of ecr6's tiles on their way to shared memory, by the copy engine: weights by bulk copies, as they were
// split once per layer; input by boxes, which are split when they have arrived (ecr6_split.h).
#pragma once

#include "kernels/ecr/ecr6_memory.h"
#include "kernels/hopper/bulk_copy.h"
#include "kernels/simt/kernel_shape.h"

namespace convscope::CONVSCOPE_DIALECT {

/// One thread: the weights of tap after tap, slice after slice, item after item.
template <int Filters, int Groups>
DEVICE void fetch_ecr6_weights(const Ecr6Tiling& tiling, const float* weights, const Ecr6Memory<Filters>& memory) {
    const int taps = tiling.taps_h * tiling.taps_w;
    constexpr int half = Ecr6Memory<Filters>::half_stage;
    const long long plane = static_cast<long long>(tiling.leading) * ecr6_slice;  // of a tap, coarse or rest
    hopper::RingPosition at;
    for (int item = blockIdx.x; item < tiling.items; item += gridDim.x) {
        const Ecr6Place<Groups> place(tiling, item);
        const float* from = weights + place.first_slice * taps * 2 * plane + place.group * Filters * ecr6_slice;
        const int count = (place.last_slice - place.first_slice) * taps;
        for (int i = 0; i < count; ++i, at.advance(tiling.stages), from += 2 * plane) {
            hopper::Arrival& there = memory.weights_there[at.stage];
            unsigned char* to = memory.weights + at.stage * 2 * half;
            memory.weights_free[at.stage].wait(at.parity ^ 1);
            there.arrive_expecting(2 * half);
            hopper::copy_bulk(to, from, half, there);
            hopper::copy_bulk(to + half, from + plane, half, there);
        }
    }
}

/// One thread: the boxes of input of phase after phase, slice after slice, item after item, as many ahead as there is
/// room for: with one tap a box is used up sooner than the next one arrives.
template <int Filters, int Groups>
DEVICE void fetch_ecr6_boxes(const KernelShape& shape, const Ecr6Tiling& tiling, const CUtensorMap& map,
                             const Ecr6Memory<Filters>& memory) {
    const int bytes = tiling.box_rows * tiling.box_columns * ecr6_slice * 4;
    hopper::RingPosition at;
    for (int item = blockIdx.x; item < tiling.items; item += gridDim.x) {
        const Ecr6Place<Groups> place(tiling, item);
        const int row = place.row * shape.stride_h - shape.pad_h, column = place.column * shape.stride_w - shape.pad_w;
        for (int slice = place.first_slice; slice < place.last_slice; ++slice) {
            for_phases(tiling, [&](int phase_row, int phase_column, int, int) {
                hopper::Arrival& there = memory.input_there[at.stage];
                memory.input_free[at.stage].wait(at.parity ^ 1);
                there.arrive_expecting(bytes);
                hopper::copy_box(memory.input(at.stage, tiling), map, slice * ecr6_slice, column + phase_column,
                                 row + phase_row, place.image, there);
                at.advance(tiling.inputs);
            });
        }
    }
}

}  // namespace convscope::CONVSCOPE_DIALECT
