// Fetches the operands of tensor1's tiles into shared memory by TMA: weights by bulk copies, since they were split once
// per layer; input by boxes, which are split after they have arrived (tensor1_split.h).
#pragma once

#include "kernels/hopper/bulk_copy.h"
#include "kernels/simt/kernel_shape.h"
#include "kernels/tensor/tensor1_memory.h"

namespace convscope::CONVSCOPE_DIALECT {

/// Copies the weights tap by tap, slice by slice, item by item. One thread calls this.
template <int Filters>
DEVICE void fetch_weights(const Tensor1Tiling& tiling, const unsigned char* weights,
                          const Tensor1Memory<Filters>& memory) {
    constexpr int bytes = Tensor1Memory<Filters>::stage_bytes;
    const int taps = tiling.taps_h * tiling.taps_w;
    const long long plane = static_cast<long long>(tiling.leading) * tensor1_row_bytes;  // of a tap
    hopper::RingPosition at;
    for (int item = first_item(); item < tiling.items; item += items_at_once()) {
        const Tensor1Place place(tiling, item);
        const unsigned char* from = weights + place.first_slice * taps * plane + place.group * bytes;
        const int count = (place.last_slice - place.first_slice) * taps;
        for (int i = 0; i < count; ++i, at.advance(tiling.stages), from += plane) {
            hopper::Mbarrier& there = memory.weights_there[at.stage];
            memory.weights_free[at.stage].wait(at.parity ^ 1);
            there.arrive_expect_tx(bytes);
            hopper::copy_bulk(memory.weights + at.stage * bytes, from, bytes, there);
        }
    }
}

/// Waits for a free input buffer and copies a box of input to it. One thread calls this.
template <int Filters>
DEVICE void fetch_box(const KernelShape& shape, const Tensor1Tiling& tiling, const CUtensorMap& map,
                      const Tensor1Place& place, int slice, int phase_row, int phase_column,
                      const hopper::RingPosition& at, const Tensor1Memory<Filters>& memory) {
    hopper::Mbarrier& there = memory.input_there[at.stage];
    memory.input_free[at.stage].wait(at.parity ^ 1);
    there.arrive_expect_tx(tiling.box_rows * tiling.box_columns * tensor1_row_bytes);
    hopper::copy_box(memory.input(at.stage, tiling), map, slice * tensor1_slice,
                     place.column * shape.stride_w - shape.pad_w + phase_column,
                     place.row * shape.stride_h - shape.pad_h + phase_row, place.image, there);
}

}  // namespace convscope::CONVSCOPE_DIALECT
