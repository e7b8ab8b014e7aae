// Split-K reduction of tensor1: the blocks of a cluster share a tile's channels and add up their sums through
// distributed shared memory. The sums never go to global memory, and no second kernel waits for the first.
#pragma once

#include "kernels/layers/pooling.h"
#include "kernels/simt/cluster.h"
#include "kernels/simt/kernel_shape.h"
#include "kernels/tensor/tensor1_memory.h"

namespace convscope::CONVSCOPE_DIALECT {

/// Stores four neighbouring filters of an output, of which 'left' exist.
DEVICE void store_four(float* to, const float4& four, int left, bool fours) {
    if (fours) {
        *reinterpret_cast<float4*>(to) = four;
    } else {
        to[0] = four.x;
        if (left > 1) to[1] = four.y;
        if (left > 2) to[2] = four.z;
        if (left > 3) to[3] = four.w;
    }
}

/// Applies ReLU and returns the maximum of a 2x2 square of windows, which four neighbouring lanes hold.
DEVICE float largest_of_square(float value) {
    value = max_or_nan(0.0f, value);
    value = max_or_nan(value, __shfl_xor_sync(0xffffffffu, value, 1));
    return max_or_nan(value, __shfl_xor_sync(0xffffffffu, value, 2));
}

/// The multiplying warpgroup calls this when nothing in the block reads or copies to 'sums' any more. Each block writes
/// its sums of the tile, [window][filter], to its own 'sums'. Then the blocks share the windows: each thread adds four
/// filters of one window at a time, with the four windows of a square in neighbouring threads. The order of the
/// additions is fixed, so results are deterministic.
template <int Filters>
DEVICE void add_in_cluster(const KernelShape& shape, const Tensor1Tiling& tiling, const float (&own)[Filters / 2],
                           const Tensor1Place& place, float* sums, float* y) {
    constexpr int pitch = tensor1_sums_pitch(Filters), fours = Filters / 4, units = tensor1_windows * fours;
    const int thread = threadIdx.x - tensor1_fetching_threads, lane = thread % 32, first_row = thread / 32 * 2;
    UNROLL
    for (int below = 0; below < 2; ++below) {
        float* to = sums + ((first_row + below) * tensor1_side + lane / 4) * pitch + lane % 4 * 2;
        UNROLL
        for (int eight = 0; eight < Filters / 8; ++eight)
            *reinterpret_cast<float2*>(to + eight * 8) =
                make_float2(own[eight * 4 + below * 2], own[eight * 4 + below * 2 + 1]);
    }
    wait_for_cluster();
    for (int first = place.part * tensor1_multiplying_threads; first < units;
         first += tiling.parts * tensor1_multiplying_threads) {
        const int unit = first + thread, corner = unit % 4, four = unit / 4 % fours, square = unit / 4 / fours;
        const int row = square / 4 * 2 + corner / 2, column = square % 4 * 2 + corner % 2;
        const int mine = (row * tensor1_side + column) * pitch + four * 4;
        float4 parts[tensor1_max_parts];  // all in flight together
        UNROLL
        for (int part = 0; part < tensor1_max_parts; ++part)
            if (part < tiling.parts) parts[part] = from_cluster(sums, mine, part);
        float4 sum = parts[0];
        UNROLL
        for (int part = 1; part < tensor1_max_parts; ++part) {
            if (part >= tiling.parts) continue;
            sum.x += parts[part].x;
            sum.y += parts[part].y;
            sum.z += parts[part].z;
            sum.w += parts[part].w;
        }
        const int filter = place.group * Filters + four * 4, left = shape.k - filter;
        const int p = place.row + row, q = place.column + column;
        bool inside = left > 0;
        long long output;
        if (tiling.pool) {
            sum = make_float4(largest_of_square(sum.x), largest_of_square(sum.y), largest_of_square(sum.z),
                              largest_of_square(sum.w));
            inside = inside && corner == 0 && p / 2 < shape.out_h && q / 2 < shape.out_w;
            output = (static_cast<long long>(place.image) * shape.out_h + p / 2) * shape.out_w + q / 2;
        } else {
            inside = inside && p < shape.p && q < shape.q;
            output = (static_cast<long long>(place.image) * shape.p + p) * shape.q + q;
        }
        if (inside) store_four(y + output * shape.k + filter, sum, left, shape.k % 4 == 0);
    }
    wait_for_cluster();  // a block must not end while others read its sums
}

}  // namespace convscope::CONVSCOPE_DIALECT
