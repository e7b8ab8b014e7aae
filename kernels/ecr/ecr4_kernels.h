// ecr4: ECR for a whole layer on a GPU of today. Where ecr3 stores the compressed windows in global memory and reads
// them back once for every filter, here a warp compresses a window into shared memory and uses it at once: conversion
// and product are one kernel, and the format never leaves the SM.
//
// A block takes a tile of windows, 32 V filters and a slice of the channels. It goes through its slice in chunks:
//   1. all threads copy the part of x under the tile to shared memory (the slab), zeros for the padding;
//   2. each warp compresses its windows, one after the other: ballots find the non-zeros, popcounts their places; the
//      list holds each value and the row of weights [c r s][k] that it meets;
//   3. the warp walks through the list, four or eight entries at a time: a row's 32 V weights are one coalesced load,
//   shared by
//      nobody else in the warp, and met again in L1 by the other warps of the block, which are at the same chunk.
// With few windows, several warps share a window's channels and add their sums up in shared memory. With few blocks,
// several blocks share the channels: they write partial sums, which ecr4_sum adds (no atomics: the order is fixed).
#pragma once

#include "kernels/ecr/ecr4_tiling.h"
#include "kernels/simt/feature_map.h"

namespace convscope::CONVSCOPE_DIALECT {

/// Four places in the list of a window, read at once.
struct alignas(16) Places {
    int x, y, z, w;
};

/// i / divisor for the small numbers of a block's indices (below 2^20); 'inverse' is 1 / divisor.
DEVICE int divided(int i, float inverse) {
    return static_cast<int>((static_cast<float>(i) + 0.5f) * inverse);
}

/// sums[0 .. V) += value * weights[first .. first + V), V weights as one load.
template <int V, class Weights>
DEVICE void add_weights(float value, const Weights& weights, int first, float* sums) {
    if constexpr (V == 4) {
        const float4 four = vectors<const float4>(weights)[first / 4];
        sums[0] = fmaf(value, four.x, sums[0]);
        sums[1] = fmaf(value, four.y, sums[1]);
        sums[2] = fmaf(value, four.z, sums[2]);
        sums[3] = fmaf(value, four.w, sums[3]);
    } else if constexpr (V == 2) {
        const float2 two = vectors<const float2>(weights)[first / 2];
        sums[0] = fmaf(value, two.x, sums[0]);
        sums[1] = fmaf(value, two.y, sums[1]);
    } else {
        const float one = weights[first];
        sums[0] = fmaf(value, one, sums[0]);
    }
}

/// Copies channels [channel, channel + channels) of the part of x under the tile into 'slab', planes
/// 'tiling.slab_plane' apart; zeros where it lies in the padding. (top, left) is its corner on the map.
DEVICE void copy_slab(const KernelShape& shape, const Ecr4Tiling& tiling, Global<const float> x, int image, int channel,
                      int channels, int top, int left, Shared<float> slab) {
    const int area = tiling.slab_h * tiling.slab_w;
    const int elements = channels * area;
    const int first_plane = (image * shape.c + channel) * shape.h * shape.w;
    constexpr int loads = 4;  // on their way together
    for (int start = threadIdx.x; start < elements; start += loads * blockDim.x) {
        float loaded[loads];
        UNROLL for (int load = 0; load < loads; ++load) {
            const int at = start + load * blockDim.x;
            const int plane = divided(at, tiling.per_slab_area);
            const int place = at - plane * area;
            const int row = divided(place, tiling.per_slab_w);
            float value = 0.0f;
            if (at < elements)
                value = element_or_zero(x, first_plane + plane * shape.h * shape.w, shape, top + row,
                                        left + place - row * tiling.slab_w);
            loaded[load] = value;
        }
        UNROLL for (int load = 0; load < loads; ++load) {
            const int at = start + load * blockDim.x;
            const int plane = divided(at, tiling.per_slab_area);
            if (at < elements) slab[plane * tiling.slab_plane + at - plane * area] = loaded[load];
        }
    }
}

/// Block: 32 threads for each warp; the warps of one window are adjacent. Grid: x images x tiles, y groups of 32 V G
/// filters, z slices. R x S is the filter; 0 x 0 takes it from the shape. A lane sums G vectors of V filters, 32 V
/// filters apart, for each of the M windows of its warp.
/// weights: [c r s][leading], leading a multiple of 32 V. sums: y itself, or the partial sums [slices][n p q][leading].
/// Dynamic shared memory: slab   chunk x slab_plane floats, rounded up to 4
///                        values, places   'list' floats and ints for each warp
///                        shared_sums      32 V G M floats for each warp, where warps share a window
template <int R, int S, int V, int G, int M>
LAUNCH_BOUNDS(800)
KERNEL
    ecr4(KernelShape shape, Ecr4Tiling tiling, Global<const float> x, Global<const float> weights, Global<float> sums) {
    const int r = R > 0 ? R : shape.r, s = S > 0 ? S : shape.s;
    const int window = r * s;
    constexpr int F = V * G;               // filters of a lane
    constexpr int batch = G == 1 ? 8 : 4;  // list entries whose weights are on their way together
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    DYNAMIC_SHARED(memory);
    Shared<float> slab = memory.take<float>(tiling.slab_floats);
    Shared<float> all_values = memory.take<float>(warps * tiling.list);
    Shared<int> all_places = memory.take<int>(warps * tiling.list);
    Shared<float> shared_sums = memory.take<float>(tiling.channel_warps > 1 ? warps * 32 * F * M : 0);
    Shared<float> values = all_values + warp * tiling.list;
    Shared<int> places = all_places + warp * tiling.list;

    const int group = divided(warp, tiling.per_channel_warps);  // of warps that share their windows
    const int share = warp - group * tiling.channel_warps;
    const int groups = divided(warps, tiling.per_channel_warps);
    const int tiles = tiling.tiles_h * tiling.tiles_w;
    const int image = blockIdx.x / tiles, tile = blockIdx.x % tiles;
    const int tile_p = tile / tiling.tiles_w * tiling.tile_h, tile_q = tile % tiling.tiles_w * tiling.tile_w;
    const int filter = blockIdx.y * 32 * F + lane * V;  // of the first vector
    int vector[G];                                      // where each vector stands in a row of weights
    UNROLL for (int g = 0; g < G; ++g) vector[g] = filter + 32 * V * g < tiling.leading ? filter + 32 * V * g : 0;
    const int first_channel = blockIdx.z * tiling.slice;
    const int end_channel = min(shape.c, first_channel + tiling.slice);

    float sum[M][F];
    UNROLL for (int m = 0; m < M; ++m) {
        UNROLL for (int f = 0; f < F; ++f) sum[m][f] = 0.0f;
    }
    for (int channel = first_channel; channel < end_channel; channel += tiling.chunk) {
        const int channels = min(tiling.chunk, end_channel - channel);
        if (channel > first_channel) __syncthreads();  // the slab before this one has been used
        copy_slab(shape, tiling, x, image, channel, channels, tile_p * shape.stride_h - shape.pad_h,
                  tile_q * shape.stride_w - shape.pad_w, slab);
        __syncthreads();

        // This warp's channels of the chunk. A step takes 32 elements of a window: those of several channels where it
        // is small, else of one channel, in several rounds. So a lane's place within a channel stays what it is.
        const int per_share = divided(channels + tiling.channel_warps - 1, tiling.per_channel_warps);
        const int own = share * per_share;
        const int own_channels = min(channels, own + per_share) - own;
        const int per_step = window < 32 ? 32 / window : 1;
        UNROLL for (int m = 0; m < M; ++m) {
            const int at = m * groups + group;
            const int row = divided(at, tiling.per_tile_w), column = at - row * tiling.tile_w;
            const bool inside = row < tiling.tile_h && tile_p + row < shape.p && tile_q + column < shape.q;
            if (!inside) continue;  // a whole warp
            const int corner = own * tiling.slab_plane + row * shape.stride_h * tiling.slab_w + column * shape.stride_w;
            for (int round = 0; round < window; round += 32) {
                const int lane_channel = lane / window;
                const int tap = round + lane - lane_channel * window;
                const int reach = lane_channel < per_step && tap < window ? own_channels - lane_channel : 0;
                int from = corner + lane_channel * tiling.slab_plane + tap / s * tiling.slab_w + tap % s;
                int place = ((channel + own + lane_channel) * window + tap) * tiling.leading;
                int first = 0;  // channel of this step
                while (first < own_channels) {
                    int count = 0;
                    NO_UNROLL for (; first < own_channels && count <= tiling.list - 32; first += per_step) {
                        float value = 0.0f;
                        if (first < reach) value = slab[from];
                        const unsigned nonzero = __ballot_sync(0xffffffffu, value != 0.0f);
                        if (value != 0.0f) {
                            const int slot = count + __popc(nonzero & ((1u << lane) - 1));
                            values[slot] = value;
                            places[slot] = place;
                        }
                        count += __popc(nonzero);
                        from += per_step * tiling.slab_plane;
                        place += per_step * window * tiling.leading;
                    }
                    __syncwarp();
                    // Whole batches: zeros that meet the row of the last entry add nothing.
                    const int missing = (batch - count % batch) % batch;
                    if (count > 0 && lane < missing) {
                        const int last = places[count - 1];
                        values[count + lane] = 0.0f;
                        places[count + lane] = last;
                    }
                    __syncwarp();
                    NO_UNROLL for (int entry = 0; entry < count; entry += batch) {
                        UNROLL for (int four = 0; four < batch / 4; ++four) {
                            const float4 value = vectors<float4>(values)[entry / 4 + four];
                            const Places four_places = vectors<Places>(places)[entry / 4 + four];
                            UNROLL for (int g = 0; g < G; ++g) {
                                add_weights<V>(value.x, weights, four_places.x + vector[g], sum[m] + g * V);
                                add_weights<V>(value.y, weights, four_places.y + vector[g], sum[m] + g * V);
                                add_weights<V>(value.z, weights, four_places.z + vector[g], sum[m] + g * V);
                                add_weights<V>(value.w, weights, four_places.w + vector[g], sum[m] + g * V);
                            }
                        }
                    }
                    __syncwarp();
                }
            }
        }
    }

    if (tiling.channel_warps > 1) {
        UNROLL for (int m = 0; m < M; ++m) {
            UNROLL for (int f = 0; f < F; ++f) shared_sums[((warp * M + m) * F + f) * 32 + lane] = sum[m][f];
        }
        __syncthreads();
    }
    UNROLL for (int m = 0; m < M; ++m) {
        const int at = m * groups + group;
        const int row = divided(at, tiling.per_tile_w), column = at - row * tiling.tile_w;
        const bool inside = row < tiling.tile_h && tile_p + row < shape.p && tile_q + column < shape.q;
        if (!inside) continue;
        const int output = (tile_p + row) * shape.q + tile_q + column;
        const long long partial =
            ((static_cast<long long>(blockIdx.z) * shape.n + image) * shape.p * shape.q + output) * tiling.leading;
        if constexpr (V == 4) {
            if (tiling.partial && tiling.channel_warps == 1) {
                UNROLL for (int g = 0; g < G; ++g) {
                    if (filter + 32 * V * g < tiling.leading)
                        vectors<float4>(sums)[(partial + filter) / V + 32 * g] =
                            float4{sum[m][g * V], sum[m][g * V + 1], sum[m][g * V + 2], sum[m][g * V + 3]};
                }
                continue;
            }
        }
        UNROLL for (int f = 0; f < F; ++f) {
            // The warps of a window take its sums in turn.
            if ((f & (tiling.channel_warps - 1)) != share) continue;
            float total = sum[m][f];
            if (tiling.channel_warps > 1) {
                total = 0.0f;
                for (int other = 0; other < tiling.channel_warps; ++other)
                    total += shared_sums[(((group * tiling.channel_warps + other) * M + m) * F + f) * 32 + lane];
            }
            const int own_filter = filter + f / V * 32 * V + f % V;
            if (own_filter >= shape.k) continue;
            if (tiling.partial)
                sums[partial + own_filter] = total;
            else
                sums[(image * shape.k + own_filter) * shape.p * shape.q + output] = total;
        }
    }
}

}  // namespace convscope::CONVSCOPE_DIALECT
