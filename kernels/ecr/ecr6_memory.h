// What the warps of an ecr6 block share: its shared memory, and which item of the work is which.
#pragma once

#include "kernels/ecr/ecr6_tile.h"
#include "kernels/hopper/arrival.h"
#include "kernels/simt/dialect.h"

namespace convscope::CONVSCOPE_DIALECT {

constexpr int ecr6_splitting_warps = 4, ecr6_splitters = 32 * ecr6_splitting_warps;

/// A block's shared memory: inputs[inputs][coarse, rest][input_bytes], weights[stages][coarse, rest][Filters 128],
/// arrivals, marks.
template <int Filters>
struct Ecr6Memory {
    static constexpr int half_stage = Filters * 128, stage_bytes = 2 * half_stage;
    unsigned char *inputs, *weights;
    /// Of each input: it is there; it is split; nobody needs it any more. Of each stage of weights: likewise.
    hopper::Arrival *input_there, *input_split, *input_free, *weights_there, *weights_free;
    /// [inputs][splitting warp]: bit i says that the warp saw a non-zero among the channels of step i.
    unsigned* marks;

    DEVICE Ecr6Memory(unsigned char* start, const Ecr6Tiling& tiling) {
        inputs = start + (-hopper::shared_address(start) & (ecr6_alignment - 1));
        weights = inputs + tiling.inputs * 2 * tiling.input_bytes;
        input_there = reinterpret_cast<hopper::Arrival*>(weights + tiling.stages * stage_bytes);
        input_split = input_there + tiling.inputs;
        input_free = input_split + tiling.inputs;
        weights_there = input_free + tiling.inputs;
        weights_free = weights_there + tiling.stages;
        marks = reinterpret_cast<unsigned*>(weights_free + tiling.stages);
    }
    DEVICE void prepare_arrivals(const Ecr6Tiling& tiling, int multiplying_warps) {
        for (int i = 0; i < tiling.inputs; ++i) {
            input_there[i].prepare(1);
            input_split[i].prepare(ecr6_splitting_warps);
            input_free[i].prepare(multiplying_warps);
        }
        for (int i = 0; i < tiling.stages; ++i) {
            weights_there[i].prepare(1);
            weights_free[i].prepare(multiplying_warps);
        }
        hopper::make_arrivals_visible();
    }
    DEVICE unsigned char* input(int stage, const Ecr6Tiling& tiling) const {
        return inputs + stage * 2 * tiling.input_bytes;
    }
    /// By a whole warp; its first lane reads, which is also the one that frees the input.
    DEVICE unsigned marked(int stage) const {
        const unsigned* of_warp = marks + stage * ecr6_splitting_warps;
        unsigned all = 0;
        if (threadIdx.x % 32 == 0) all = of_warp[0] | of_warp[1] | of_warp[2] | of_warp[3];
        return __shfl_sync(0xffffffffu, all, 0);
    }
};

/// Where item number 'item' of the work lies; neighbouring numbers share their input.
template <int Groups>
struct Ecr6Place {
    int image, row, column, group, part, first_slice, last_slice;
    DEVICE Ecr6Place(const Ecr6Tiling& tiling, int item) {
        group = item % tiling.filter_groups;
        int rest = item / tiling.filter_groups;
        part = rest % tiling.parts;
        rest /= tiling.parts;
        column = rest % tiling.tiles_across * ecr6_columns;
        row = rest / tiling.tiles_across % tiling.tiles_down * 8 * Groups;
        image = rest / tiling.tiles_across / tiling.tiles_down;
        first_slice = part * tiling.slices_of_part;
        last_slice = min(first_slice + tiling.slices_of_part, tiling.slices);
    }
};

/// Calls 'box' for each phase of the strides that any tap reads, with its first row and column and its taps down and
/// across: with a stride of 2 the taps of even rows read other pixels than those of odd ones, and each of the up to
/// four kinds is a box of pixels of its own.
template <class Box>
DEVICE void for_phases(const Ecr6Tiling& tiling, Box box) {
    for (int row = 0; row < min(tiling.step_h, tiling.taps_h); ++row)
        for (int column = 0; column < min(tiling.step_w, tiling.taps_w); ++column)
            box(row, column, (tiling.taps_h - row + tiling.step_h - 1) / tiling.step_h,
                (tiling.taps_w - column + tiling.step_w - 1) / tiling.step_w);
}

}  // namespace convscope::CONVSCOPE_DIALECT
