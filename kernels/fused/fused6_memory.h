// Lays out the shared memory of a fused6 block and orders its tiles.
#pragma once

#include "kernels/fused/fused6_tile.h"
#include "kernels/hopper/mbarrier.h"
#include "kernels/simt/dialect.h"

namespace convscope::CONVSCOPE_DIALECT {

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

}  // namespace convscope::CONVSCOPE_DIALECT
