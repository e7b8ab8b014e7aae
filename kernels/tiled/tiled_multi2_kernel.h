// tiled-multi2: direct convolution of any number of channels, with all sums in registers (after Chang et al., Section
// 3.2).
//
// Chang et al. go through a filter's weights in segments of fixed length and read six values from shared memory for 32
// multiply-adds. Two things make that the limit. Here a thread has Filters filters at Rows rows of four adjacent
// outputs; per channel it reads its part of the tile's input once into registers, (Rows + K - 1) x (K + 3) elements,
// and then for each tap only the weights: for 8 filters, 2 rows and K = 3, 26 wide loads for 576 multiply-adds. And
// slices of channels are copied behind the arithmetic, without going through registers, the weights from a copy that
// has the filters of a tap side by side.
//
// A small map has too few outputs for that many registers to be used by all SMs. So the channels are divided as well:
// among the threads of a block, which then add up in shared memory, and among blocks (grid z), each of which stores a
// part of y; tiled_multi2_sum adds those, always in the same order.
#pragma once

#include "kernels/tiled/multi2_copy.h"
#include "kernels/tiled/multi2_sums.h"

namespace convscope::CONVSCOPE_DIALECT {

/// w is [k][c r s]; prepared is [c r s][pitch], the filters of a tap side by side, zeros behind them. One thread per
/// float of 'prepared'.
KERNEL tiled_multi2_weights(KernelShape shape, int pitch, Global<const float> w, Global<float> prepared) {
    const int row = blockIdx.y, rows = shape.c * shape.r * shape.s;
    const int filter = static_cast<int>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (filter >= pitch) return;
    for (int at = row; at < rows; at += gridDim.y) {
        float weight = 0.0f;
        if (filter < shape.k) weight = w[filter * rows + at];
        prepared[static_cast<long long>(at) * pitch + filter] = weight;
    }
}

/// The body of a block, for both kernels below.
template <int K, int Filters, int Rows, int Load>
DEVICE void multi2_tile(const KernelShape& shape, const Multi2Tiling& tiling, Global<const float> x,
                        Global<const float> weights, Global<float> out) {
    const int filters = Filters * tiling.filter_groups, taps = shape.r * shape.s;
    const int tile = tiling.rows * tiling.pitch, stage = tiling.slice * (tile + taps * filters);
    DYNAMIC_SHARED(memory);
    Shared<float> stages = memory.take<float>(tiling.stages * stage);

    // The thread's outputs, filters and channels: lanes of a warp along the outputs first, then along the filters.
    const unsigned lanes = tiling.lanes, places = tiling.quads * tiling.lines, groups = tiling.filter_groups;
    const unsigned beyond = threadIdx.x / lanes, block_of_lanes = beyond / groups;
    const int filter_group = static_cast<int>(beyond % groups);
    const int channel_group = static_cast<int>(block_of_lanes / (places / lanes));
    const unsigned place = block_of_lanes % (places / lanes) * lanes + threadIdx.x % lanes;
    const int line = static_cast<int>(place / static_cast<unsigned>(tiling.quads));
    const int quad = static_cast<int>(place % static_cast<unsigned>(tiling.quads));

    const int image = static_cast<int>(blockIdx.x / static_cast<unsigned>(tiling.tiles));
    const unsigned at = blockIdx.x % static_cast<unsigned>(tiling.tiles);
    const int row = static_cast<int>(at / static_cast<unsigned>(tiling.tiles_x)) * tiling.lines * Rows;
    const int column = static_cast<int>(at % static_cast<unsigned>(tiling.tiles_x)) * tiling.quads * 4;
    const int first = static_cast<int>(blockIdx.z) * tiling.channels;
    const int channels = min(tiling.channels, shape.c - first);
    const int slices = (channels + tiling.slice - 1) / tiling.slice;

    Multi2Pixels<Load> pixel_copy;
    pixel_copy.begin(tiling, row - shape.pad_h, column - shape.pad_w);
    Multi2Weights weight_copy;
    weight_copy.begin(tiling, filters);
    const auto fetch = [&](int slice, int to) {
        if (slice < slices) {
            const int channel = first + slice * tiling.slice,
                      count = min(tiling.slice, channels - slice * tiling.slice);
            pixel_copy.copy(tiling, x, (image * shape.c + channel) * tiling.map.input_plane, count,
                            stages + to * stage);
            weight_copy.copy(tiling, weights, channel * taps, count * taps, filters,
                             stages + (to * stage + tiling.slice * tile));
        }
        end_copy_group();
    };
    for (int slice = 0; slice < tiling.stages - 1; ++slice) fetch(slice, slice);

    Multi2Sums<Filters, Rows> sums;
    int present = 0, next = tiling.stages - 1;  // stages
    NO_UNROLL
    for (int slice = 0; slice < slices; ++slice) {
        if (tiling.stages == 2)
            arrive_copies<0>();
        else
            arrive_copies<1>();
        __syncthreads();  // the slice has arrived for all, and nobody works on the stage that is fetched to next
        fetch(slice + tiling.stages - 1, next);
        const Shared<const float> pixels = stages + (present * stage + line * Rows * tiling.pitch + quad * 4);
        const Shared<const float> block = stages + (present * stage + tiling.slice * tile + filter_group * Filters);
        const int count = min(tiling.slice, channels - slice * tiling.slice);
        NO_UNROLL
        for (int channel = channel_group; channel < count; channel += tiling.channel_groups)
            sums.template multiply<K>(shape, pixels + channel * tile, tiling.pitch, block + channel * taps * filters,
                                      filters);
        present = present + 1 == tiling.stages ? 0 : present + 1;
        next = next + 1 == tiling.stages ? 0 : next + 1;
    }
    arrive_copies<0>();

    const int threads = static_cast<int>(places * groups), thread = static_cast<int>(threadIdx.x) % threads;
    NO_UNROLL
    for (int half = tiling.channel_groups / 2; half > 0; half /= 2) {
        constexpr int count = Multi2Sums<Filters, Rows>::count;
        __syncthreads();
        if (channel_group >= half && channel_group < 2 * half)
            sums.put(stages + ((channel_group - half) * count * threads + thread), threads);
        __syncthreads();
        if (channel_group < half) sums.take(stages + (channel_group * count * threads + thread), threads);
    }
    if (channel_group > 0) return;
    const int filter = static_cast<int>(blockIdx.y) * filters + filter_group * Filters;
    const int plane = (static_cast<int>(blockIdx.z) * shape.n + image) * shape.k + filter;
    sums.store(tiling.map, out, plane * tiling.map.output_plane, row + line * Rows, column + quad * 4,
               shape.k - filter);
}

/// Grid: x the tiles of all images, y the groups of Filters tiling.filter_groups filters, z the divisions of the
/// channels. Block: quads x lines x filter_groups x channel_groups threads along x. Dynamic shared memory: 'stages'
/// times pixels[slice][rows][pitch] and weights[slice][r s][filters], and afterwards the sums of half of the channel
/// groups. 'out' is y, or [gridDim.z][y]. A thread has Filters filters at two rows of four outputs, so 32 or 64 sums.
template <int K, int Filters, int Load>
KERNEL LAUNCH_BOUNDS(512) tiled_multi2(KernelShape shape, Multi2Tiling tiling, Global<const float> x,
                                       Global<const float> weights, Global<float> out) {
    multi2_tile<K, Filters, 2, Load>(shape, tiling, x, weights, out);
}

/// The same with 8 filters at four rows: 128 sums, for which a thread needs twice the registers.
template <int K, int Load>
KERNEL LAUNCH_BOUNDS(256) tiled_multi2_wide(KernelShape shape, Multi2Tiling tiling, Global<const float> x,
                                            Global<const float> weights, Global<float> out) {
    multi2_tile<K, 8, 4, Load>(shape, tiling, x, weights, out);
}

/// y = the sum of 'Parts' parts of y, one after the other. A thread adds Width adjacent elements: all loads first, so
/// that they are under way together.
template <int Parts, int Width>
KERNEL tiled_multi2_sum(Global<const float> parts, int elements, Global<float> y) {
    const int at = (static_cast<int>(blockIdx.x) * blockDim.x + threadIdx.x) * Width;
    if (at >= elements) return;
    float part[Parts][Width];
    UNROLL
    for (int i = 0; i < Parts; ++i) {
        if constexpr (Width == 4) {
            const float4 four = vectors<const float4>(parts + i * elements)[at / 4];
            part[i][0] = four.x;
            part[i][1] = four.y;
            part[i][2] = four.z;
            part[i][3] = four.w;
        } else {
            part[i][0] = parts[i * elements + at];
        }
    }
    UNROLL
    for (int i = 1; i < Parts; ++i) UNROLL
    for (int j = 0; j < Width; ++j) part[0][j] += part[i][j];
    if constexpr (Width == 4)
        vectors<float4>(y)[at / 4] = float4{part[0][0], part[0][1], part[0][2], part[0][3]};
    else
        y[at] = part[0][0];
}

}  // namespace convscope::CONVSCOPE_DIALECT
