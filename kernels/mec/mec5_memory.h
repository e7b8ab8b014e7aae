// Lays out the shared memory of a block of mec5, mec6 or mec7 and orders its tiles.
#pragma once

#include "kernels/hopper/mbarrier.h"
#include "kernels/mec/mec5_tile.h"
#include "kernels/simt/dialect.h"

namespace convscope::CONVSCOPE_DIALECT {

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

/// Decodes a tile's number into its position and, in a cluster, this block's share of its slices. Neighbouring numbers
/// share their outputs.
struct Mec5Place {
    int first_output, first_filter, first_slice, last_slice;
    DEVICE Mec5Place(const Mec5Tiling& tiling, int tile, int outputs, int filters) {
        first_filter = tile % tiling.filter_groups * filters;
        first_output = tile / tiling.filter_groups * outputs;
        first_slice = tiling.slices * static_cast<int>(blockIdx.z) / static_cast<int>(gridDim.z);
        last_slice = tiling.slices * static_cast<int>(blockIdx.z + 1) / static_cast<int>(gridDim.z);
    }
};

/// Waits for all threads of one role, on the block's named barrier 'Barrier': 1 for those that fetch, 2 for those that
/// multiply.
template <int Barrier, int Threads>
DEVICE void wait_for_role() {
    asm volatile("bar.sync %0, %1;" ::"n"(Barrier), "n"(Threads) : "memory");
}

}  // namespace convscope::CONVSCOPE_DIALECT
