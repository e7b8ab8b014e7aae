// ecr4's other way, for large maps with few zeros: there the weights that a list entry loads are met again by its
// neighbours, so it is better to hold them in registers and go along a row. A warp sums rows of 14 windows, all its
// accumulators in registers; it takes the inputs in fours and leaves out the fours that are all zeros. A finer test
// would gain nothing: on an H100 a taken branch costs as much as some 16 multiply-adds.
#pragma once

#include "kernels/ecr/ecr4_kernels.h"

namespace convscope::CONVSCOPE_DIALECT {

constexpr int ecr4_columns = 14;     ///< windows of a row
constexpr int ecr4_row_floats = 16;  ///< inputs of a row in the slab, with the filter's overhang
constexpr int ecr4_row_warps = 8;    ///< of a block

/// value[0 .. V) = from[first .. first + V), one load.
template <int V, class From>
DEVICE void load_vector(const From& from, int first, float* value) {
    if constexpr (V == 4) {
        const float4 four = vectors<const float4>(from)[first / 4];
        value[0] = four.x;
        value[1] = four.y;
        value[2] = four.z;
        value[3] = four.w;
    } else if constexpr (V == 2) {
        const float2 two = vectors<const float2>(from)[first / 2];
        value[0] = two.x;
        value[1] = two.y;
    } else {
        value[0] = from[first];
    }
}

/// Adds the four inputs that begin at 'column' of a row to the windows that they lie in. w: S taps of V filters.
template <int S, int V>
DEVICE void add_four(const float4& four, int column, const float (&w)[S][V], float (&sum)[ecr4_columns][V]) {
    const float inputs[4] = {four.x, four.y, four.z, four.w};
    UNROLL for (int i = 0; i < 4; ++i) {
        UNROLL for (int tap = 0; tap < S; ++tap) {
            const int window = column + i - tap;
            if (window < 0 || window >= ecr4_columns) continue;
            UNROLL for (int v = 0; v < V; ++v) sum[window][v] = fmaf(inputs[i], w[tap][v], sum[window][v]);
        }
    }
}

/// R x S is the filter, the stride 1. Block: 32 x 8 warps, each with 4 / V rows of the tile. Grid: x images x tiles,
/// y groups of 32 V filters, z slices. weights and sums as for ecr4, V the filters that a lane loads at once.
/// Dynamic shared memory: slab   chunk x slab_h rows of 16 floats
///                        staged the chunk's weights, chunk x R S x 32 V floats
template <int R, int S, int V>
LAUNCH_BOUNDS(256)
KERNEL ecr4_rows(KernelShape shape, Ecr4Tiling tiling, Global<const float> x, Global<const float> weights,
                 Global<float> sums) {
    constexpr int rows = 4 / V, taps = R * S, group = 32 * V;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    DYNAMIC_SHARED(memory);
    Shared<float> slab = memory.take<float>(tiling.slab_floats);
    Shared<float> staged = memory.take<float>(tiling.chunk * taps * group);

    const int tiles = tiling.tiles_h * tiling.tiles_w;
    const int image = blockIdx.x / tiles, tile = blockIdx.x % tiles;
    const int tile_p = tile / tiling.tiles_w * tiling.tile_h, tile_q = tile % tiling.tiles_w * tiling.tile_w;
    const int filter = blockIdx.y * group + lane * V;
    const int first_channel = blockIdx.z * tiling.slice;
    const int end_channel = min(shape.c, first_channel + tiling.slice);

    float sum[rows][ecr4_columns][V];
    UNROLL for (int row = 0; row < rows; ++row) {
        UNROLL for (int column = 0; column < ecr4_columns; ++column) {
            UNROLL for (int v = 0; v < V; ++v) sum[row][column][v] = 0.0f;
        }
    }
    for (int channel = first_channel; channel < end_channel; channel += tiling.chunk) {
        const int channels = min(tiling.chunk, end_channel - channel);
        if (channel > first_channel) __syncthreads();  // the chunk before this one has been used
        copy_slab(shape, tiling, x, image, channel, channels, tile_p - shape.pad_h, tile_q - shape.pad_w, slab);
        constexpr int loads = 4;  // on their way together
        const int vectors_of_chunk = channels * taps * 32;
        NO_UNROLL for (int start = threadIdx.x; start < vectors_of_chunk; start += loads * blockDim.x) {
            float loaded[loads][V];
            UNROLL for (int load = 0; load < loads; ++load) {
                const int at = min(start + load * static_cast<int>(blockDim.x), vectors_of_chunk - 1);
                const int from = (channel * taps + at / 32) * tiling.leading + blockIdx.y * group + at % 32 * V;
                load_vector<V>(weights, from, loaded[load]);
            }
            UNROLL for (int load = 0; load < loads; ++load) {
                const int at = start + load * blockDim.x;
                if (at >= vectors_of_chunk) continue;
                if constexpr (V == 4)
                    vectors<float4>(staged)[at] =
                        float4{loaded[load][0], loaded[load][1], loaded[load][2], loaded[load][3]};
                else if constexpr (V == 2)
                    vectors<float2>(staged)[at] = float2{loaded[load][0], loaded[load][1]};
                else
                    staged[at] = loaded[load][0];
            }
        }
        __syncthreads();

        for (int c = 0; c < channels; ++c) {
            NO_UNROLL for (int r = 0; r < R; ++r) {
                float w[S][V];
                UNROLL for (int tap = 0; tap < S; ++tap)
                    load_vector<V>(staged, ((c * R + r) * S + tap) * group + lane * V, w[tap]);
                UNROLL for (int row = 0; row < rows; ++row) {
                    const int line = (c * tiling.slab_h + warp * rows + row + r) * ecr4_row_floats;
                    float input = 0.0f;
                    if (lane < ecr4_row_floats) input = slab[line + lane];
                    const unsigned nonzero = __ballot_sync(0xffffffffu, input != 0.0f);
                    UNROLL for (int column = 0; column < ecr4_row_floats; column += 4) {
                        if ((nonzero & (15u << column)) == 0) continue;
                        const float4 four = vectors<const float4>(slab)[(line + column) / 4];
                        add_four<S, V>(four, column, w, sum[row]);
                    }
                }
            }
        }
    }

    UNROLL for (int row = 0; row < rows; ++row) {
        const int p = tile_p + warp * rows + row;
        if (p >= shape.p) continue;
        UNROLL for (int column = 0; column < ecr4_columns; ++column) {
            const int q = tile_q + column;
            if (q >= shape.q) continue;
            const int output = p * shape.q + q;
            const long long partial =
                ((static_cast<long long>(blockIdx.z) * shape.n + image) * shape.p * shape.q + output) * tiling.leading;
            if constexpr (V == 4) {
                if (tiling.partial) {
                    const float(&four)[V] = sum[row][column];
                    vectors<float4>(sums)[(partial + filter) / V] = float4{four[0], four[1], four[2], four[3]};
                    continue;
                }
            }
            UNROLL for (int v = 0; v < V; ++v) {
                if (filter + v >= shape.k) continue;
                if (tiling.partial)
                    sums[partial + filter + v] = sum[row][column][v];
                else
                    sums[(image * shape.k + filter + v) * shape.p * shape.q + output] = sum[row][column][v];
            }
        }
    }
}

}  // namespace convscope::CONVSCOPE_DIALECT
