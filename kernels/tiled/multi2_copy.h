// Copies a slice of channels by the threads of a tiled-multi2 block (its text is included by the kernel).
#pragma once

#include "kernels/simt/async_copy.h"
#include "kernels/simt/kernel_shape.h"
#include "kernels/tiled/multi2_tiling.h"

namespace convscope::CONVSCOPE_DIALECT {

/// The places of the tile's input that a thread copies are the same in every channel, so they are found once: where a
/// channel has fewer places than the block has threads, the threads share out the channels as well.
template <int Load>
struct Multi2Pixels {
    static constexpr int most = 4;  ///< places of a thread

    int count;          ///< places of a channel, Load floats each
    int place;          ///< this thread's first; the others follow blockDim.x further each
    int channel, step;  ///< this thread's first channel of a slice, and how many the threads go through at once
    int from[most];     ///< index in the channel's map; -1 in the padding and beyond it

    DEVICE void begin(const Multi2Tiling& tiling, int first_row, int first_column) {
        const unsigned vectors = static_cast<unsigned>(tiling.pitch) / Load, threads = blockDim.x;
        count = tiling.rows * static_cast<int>(vectors);
        const unsigned places = static_cast<unsigned>(count);
        const bool shared_out = places <= threads;
        step = shared_out ? static_cast<int>(threads / places) : 1;
        channel = shared_out ? static_cast<int>(threadIdx.x / places) : 0;
        place = shared_out ? static_cast<int>(threadIdx.x % places) : static_cast<int>(threadIdx.x);
        if (channel >= step) place = count;  // left over
        UNROLL
        for (int i = 0; i < most; ++i) {
            const unsigned at = static_cast<unsigned>(place) + i * threads;
            const int row = first_row + static_cast<int>(at / vectors);
            const int column = first_column + static_cast<int>(at % vectors) * Load;
            const int index = row * tiling.map.w + column;
            const bool inside = row >= 0 && row < tiling.map.h && column >= 0 && column < tiling.map.w &&
                                index < tiling.map.input_plane;
            from[i] = inside ? index : -1;
        }
    }
    /// 'channels' channels from 'first' (an index into x) on; 'to' is [slice][rows][pitch].
    DEVICE void copy(const Multi2Tiling& tiling, Global<const float> x, int first, int channels,
                     Shared<float> to) const {
        const int tile = tiling.rows * tiling.pitch;
        UNROLL
        for (int i = 0; i < most; ++i) {
            const int at = place + i * static_cast<int>(blockDim.x);
            if (at >= count) break;
            NO_UNROLL
            for (int each = channel; each < channels; each += step)
                copy_async<Load>(to, each * tile + at * Load, x, first + each * tiling.map.input_plane + from[i],
                                 from[i] >= 0);
        }
    }
};

/// The weights of a block's filters: rows of 'filters' floats, one for each tap of each channel, from prepared weights
/// with rows of weights_pitch.
struct Multi2Weights {
    int row, step;  ///< this thread's first row of a slice, and the rows that the block copies at once
    int column;     ///< first of this thread's four filters in the block
    int filter;     ///< the same in the layer
    bool copies;

    DEVICE void begin(const Multi2Tiling& tiling, int filters) {
        const unsigned fours = static_cast<unsigned>(filters) / 4;
        row = static_cast<int>(threadIdx.x / fours);
        step = static_cast<int>(static_cast<unsigned>(tiling.weight_copiers) / fours);
        column = static_cast<int>(threadIdx.x % fours) * 4;
        filter = static_cast<int>(blockIdx.y) * filters + column;
        copies = static_cast<int>(threadIdx.x) < tiling.weight_copiers;
    }
    DEVICE void copy(const Multi2Tiling& tiling, Global<const float> weights, int first_row, int rows, int filters,
                     Shared<float> to) const {
        if (!copies) return;
        NO_UNROLL
        for (int at = row; at < rows; at += step)
            copy_async<4>(to, at * filters + column, weights, (first_row + at) * tiling.weights_pitch + filter,
                          filter < tiling.weights_pitch);
    }
};

}  // namespace convscope::CONVSCOPE_DIALECT
