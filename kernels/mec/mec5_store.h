// Stores the sums of mec5's tiles: to y, or with split-K first through the distributed shared memory of the cluster.
#pragma once

#include "kernels/mec/mec5_memory.h"
#include "kernels/simt/cluster.h"
#include "kernels/simt/kernel_shape.h"

namespace convscope::CONVSCOPE_DIALECT {

/// Stores the sums of one operand, 64 outputs from first_output on, to y, NHWC.
template <int Filters>
DEVICE void store_mec5(const KernelShape& shape, const Mec5Tiling& tiling, const float (&sum)[Filters / 2],
                       int first_output, int first_filter, float* y) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32 % 4;
    UNROLL
    for (int below = 0; below < 2; ++below) {
        const int output = first_output + warp * 16 + lane / 4 + below * 8;
        if (output >= tiling.outputs) continue;
        float* row = y + static_cast<long long>(output) * shape.k;
        UNROLL
        for (int eight = 0; eight < Filters / 8; ++eight) {
            const int filter = first_filter + eight * 8 + lane % 4 * 2;
            const float left = sum[eight * 4 + below * 2], right = sum[eight * 4 + below * 2 + 1];
            if (shape.k % 2 == 0) {
                if (filter < shape.k) *reinterpret_cast<float2*>(row + filter) = make_float2(left, right);
            } else {
                if (filter < shape.k) row[filter] = left;
                if (filter + 1 < shape.k) row[filter + 1] = right;
            }
        }
    }
}

/// Stores them to this block's partial sums in shared memory, partial[outputs][partial_pitch]; first_output is counted
/// in the tile.
template <class Tile>
DEVICE void keep_mec5(const float (&sum)[Tile::filters / 2], int first_output, float* partial) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32 % 4;
    UNROLL
    for (int below = 0; below < 2; ++below) {
        float* row = partial + (first_output + warp * 16 + lane / 4 + below * 8) * Tile::partial_pitch + lane % 4 * 2;
        UNROLL
        for (int eight = 0; eight < Tile::filters / 8; ++eight)
            *reinterpret_cast<float2*>(row + eight * 8) =
                make_float2(sum[eight * 4 + below * 2], sum[eight * 4 + below * 2 + 1]);
    }
}

/// Adds the cluster's partial sums in the order of its blocks, so that the result is deterministic. Each block takes
/// every gridDim.z-th run of 256 fours. The multiplying threads call this.
template <class Tile>
DEVICE void add_mec5(const KernelShape& shape, const Mec5Tiling& tiling, const Mec5Place& place, const float* partial,
                     float* y) {
    constexpr int fours = Tile::filters / 4, threads = mec5_multiplying;
    const int blocks = gridDim.z;
    for (int i = static_cast<int>(threadIdx.x) - mec5_fetching + static_cast<int>(blockIdx.z) * threads;
         i < Tile::outputs * fours; i += threads * blocks) {
        const int output = place.first_output + i / fours, filter = place.first_filter + i % fours * 4;
        if (output >= tiling.outputs || filter >= shape.k) continue;
        float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        for (int block = 0; block < blocks; ++block) {
            const float4 part = from_cluster(partial, i / fours * Tile::partial_pitch + i % fours * 4, block);
            sum = make_float4(sum.x + part.x, sum.y + part.y, sum.z + part.z, sum.w + part.w);
        }
        float* to = y + static_cast<long long>(output) * shape.k + filter;
        if (shape.k % 4 == 0) {
            *reinterpret_cast<float4*>(to) = sum;
        } else {
            to[0] = sum.x;
            if (filter + 1 < shape.k) to[1] = sum.y;
            if (filter + 2 < shape.k) to[2] = sum.z;
            if (filter + 3 < shape.k) to[3] = sum.w;
        }
    }
}

}  // namespace convscope::CONVSCOPE_DIALECT
