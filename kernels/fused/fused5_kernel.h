// fused5: the report's layer as a library would compute it. What separates fused4 from the FP32 peak is not the order
// of its loops but that a thread keeps four outputs: every multiply-add brings its own load. Here a thread keeps 8
// filters x 2 rows x 4 or 8 columns in registers. A row of 8 (12) inputs and the 8 x 5 weights of one filter row, 14
// (16) loads of 16 bytes, feed 320 (640) multiply-adds; and as the two rows and the columns are whole pooling windows,
// ReLU and pooling never leave the registers.
//
// A block goes through the channels one by one. The slice of a channel is the tile's input with its margin and all the
// weights that the block's filters have for that channel, [r][s][filters]; while it is worked on, the next one is
// copied behind the arithmetic. An element of the slice is used by 64 (128) outputs or more.
#pragma once

#include "kernels/fused/fused5_tile.h"
#include "kernels/layers/pooling.h"
#include "kernels/simt/async_copy.h"
#include "kernels/simt/kernel_shape.h"

namespace convscope::CONVSCOPE_DIALECT {

DEVICE void fused5_take(float* to, const float4& four) {
    to[0] = four.x;
    to[1] = four.y;
    to[2] = four.z;
    to[3] = four.w;
}

/// Where a thread of fused5 works. The lanes of a warp are 4 groups of 8 filters x 8 patches, patches along lane bits
/// 0, 2 and 3: a weight is shared by lanes 1 apart, an input by lanes 2 apart, so that 16 lanes are served in one go
/// (docs/kernels/fused.md).
template <class Tile>
struct Fused5Thread {
    int filter;       ///< the first of its 8, in the block
    int row, column;  ///< of the convolution's output, in the tile: its patch's first

    DEVICE Fused5Thread() {
        constexpr int warps_of_patches = Tile::patches / 8;
        const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
        const int patch = warp % warps_of_patches * 8 + (lane & 1) + (lane >> 1 & 6);
        filter = (warp / warps_of_patches * 4 + (lane >> 1 & 1) + (lane >> 3 & 2)) * 8;
        row = patch / Tile::patch_columns * 2;
        column = patch % Tile::patch_columns * Tile::thread_columns;
    }
};

/// The tile of a block.
struct Fused5Block {
    int image, first_filter;
    int first_row, first_column;  ///< of the convolution's output
};

/// A thread's share in copying slices, worked out once: one column of the input's rows, every row_step-th of them, and
/// 4 filters of every tap_step-th tap.
template <int Filter, class Tile>
struct Fused5Copy {
    using Slice = Fused5Slice<Filter, Tile>;
    static constexpr int lanes = Slice::columns <= 32 ? 32 : 64, row_step = Tile::threads / lanes;
    static constexpr int row_rounds = (Slice::rows + row_step - 1) / row_step;
    static constexpr int taps = Filter * Filter, fours = Tile::filters / 4, tap_step = Tile::threads / fours;
    static constexpr int tap_rounds = (taps + tap_step - 1) / tap_step;
    static_assert(Slice::columns <= lanes && row_rounds <= 32);

    int row, column, tap;  ///< the first of its own, in the slice
    unsigned inside = 0;   ///< a bit for each of its rows: whether the map has that element
    int input;             ///< index in x of the first one, in channel 0
    long long weight;      ///< index in the weights of its first tap's, likewise

    DEVICE Fused5Copy(const KernelShape& shape, const Fused5Block& block, int weight_pitch) {
        row = threadIdx.x / lanes;
        column = threadIdx.x % lanes;
        tap = threadIdx.x / fours;
        const int from_row = block.first_row - shape.pad_h + row,
                  from_column = block.first_column - shape.pad_w + column;
        UNROLL
        for (int i = 0; i < row_rounds; ++i) {
            const int at = from_row + i * row_step;
            if (at >= 0 && at < shape.h && from_column >= 0 && from_column < shape.w) inside |= 1u << i;
        }
        input = (block.image * shape.c * shape.h + from_row) * shape.w + from_column;
        weight = static_cast<long long>(tap) * weight_pitch + block.first_filter + threadIdx.x % fours * 4;
    }

    /// Begins to copy the slice of channel c. weights: [c][Filter][Filter][weight_pitch].
    DEVICE void begin(int c, const KernelShape& shape, Global<const float> x, Global<const float> weights,
                      int weight_pitch, Shared<float> to) const {
        const int from = input + c * shape.h * shape.w;
        const long long weights_from = weight + static_cast<long long>(c) * taps * weight_pitch;
        if (column < Slice::columns) {
            UNROLL
            for (int i = 0; i < row_rounds; ++i) {
                if ((i + 1) * row_step > Slice::rows && row + i * row_step >= Slice::rows) continue;
                copy_async<1>(to, (row + i * row_step) * Slice::pitch + column, x, from + i * row_step * shape.w,
                              (inside >> i & 1) != 0);
            }
        }
        UNROLL
        for (int i = 0; i < tap_rounds; ++i) {
            if ((i + 1) * tap_step > taps && tap + i * tap_step >= taps) continue;
            const int place = (tap + i * tap_step) * Tile::filters + threadIdx.x % fours * 4;
            copy_async<4>(to, Slice::input_elements + place, weights, weights_from + i * tap_step * weight_pitch, true);
        }
        end_copy_group();
    }
};

/// Adds what row kh of the filters gives to a thread's sums. tile: at the patch's first element; filters: at the
/// thread's first filter. Neighbouring multiply-adds share an operand, at the turn from one filter to the next, too
/// (every other filter goes through the patch backwards): an operand that is used twice in a row is read once.
template <int Filter, class Tile>
DEVICE void add_filter_row(float (&sum)[8][2][Tile::thread_columns], Shared<const float> tile,
                           Shared<const float> filters, int kh) {
    using Slice = Fused5Slice<Filter, Tile>;
    constexpr int columns = Tile::thread_columns, inputs = Slice::thread_inputs;
    float in[2][inputs];
    UNROLL
    for (int row = 0; row < 2; ++row) {
        UNROLL
        for (int i = 0; i < inputs; i += 4)
            fused5_take(in[row] + i, vectors<const float4>(tile)[((kh + row) * Slice::pitch + i) / 4]);
    }
    UNROLL
    for (int kw = 0; kw < Filter; ++kw) {
        float weight[8];
        UNROLL
        for (int f = 0; f < 8; f += 4)
            fused5_take(weight + f, vectors<const float4>(filters)[((kh * Filter + kw) * Tile::filters + f) / 4]);
        UNROLL
        for (int f = 0; f < 8; ++f) {
            UNROLL
            for (int j = 0; j < 2 * columns; ++j) {
                const int place = f % 2 == 0 ? j : 2 * columns - 1 - j;
                const int row = place / columns, column = place % columns;
                sum[f][row][column] = fmaf(weight[f], in[row][kw + column], sum[f][row][column]);
            }
        }
    }
}

/// Grid: x the tiles of an image, row by row; y groups of Tile::filters filters; z the images. Block: Tile::threads
/// threads. weights: [c][r][s][weight_pitch], zeros beyond filter k. Shared memory: 2 slices.
template <int Filter, class Tile>
LAUNCH_BOUNDS(Tile::bound)
KERNEL
    fused5(KernelShape shape, int weight_pitch, Global<const float> x, Global<const float> weights, Global<float> y) {
    using Slice = Fused5Slice<Filter, Tile>;
    constexpr int columns = Tile::thread_columns;
    DYNAMIC_SHARED(memory);
    Shared<float> slices = memory.take<float>(2 * Slice::elements);

    const int tiles_across = (2 * shape.out_w + Tile::columns - 1) / Tile::columns;
    const int tile_row = static_cast<int>(blockIdx.x) / tiles_across,
              tile_column = static_cast<int>(blockIdx.x) % tiles_across;
    const Fused5Block block{static_cast<int>(blockIdx.z), static_cast<int>(blockIdx.y) * Tile::filters,
                            tile_row * Tile::rows, tile_column * Tile::columns};
    const Fused5Thread<Tile> at;
    const Fused5Copy<Filter, Tile> copy(shape, block, weight_pitch);

    float sum[8][2][columns] = {};
    copy.begin(0, shape, x, weights, weight_pitch, slices);
    for (int c = 0; c < shape.c; ++c) {
        arrive_copies<0>();
        __syncthreads();  // slice c is there, and nobody works on the one before it
        if (c + 1 < shape.c) copy.begin(c + 1, shape, x, weights, weight_pitch, slices + (c + 1) % 2 * Slice::elements);
        const Shared<const float> tile = slices + (c % 2 * Slice::elements + at.row * Slice::pitch + at.column);
        const Shared<const float> filters = slices + (c % 2 * Slice::elements + Slice::input_elements + at.filter);
        if constexpr (columns == 8) {
            NO_UNROLL  // 25 x 128 multiply-adds in a row are more than the instruction cache holds
                for (int kh = 0; kh < Filter; ++kh) add_filter_row<Filter, Tile>(sum, tile, filters, kh);
        } else {
            UNROLL
            for (int kh = 0; kh < Filter; ++kh) add_filter_row<Filter, Tile>(sum, tile, filters, kh);
        }
    }

    const int out_row = (block.first_row + at.row) / 2, out_column = (block.first_column + at.column) / 2;
    if (out_row >= shape.out_h) return;
    UNROLL
    for (int f = 0; f < 8; ++f) {
        const int filter = block.first_filter + at.filter + f;
        if (filter >= shape.k) break;
        const int line = ((block.image * shape.k + filter) * shape.out_h + out_row) * shape.out_w;
        UNROLL
        for (int i = 0; i < columns; i += 2) {
            float largest = 0.0f;  // the ReLU
            largest = max_or_nan(largest, sum[f][0][i]);
            largest = max_or_nan(largest, sum[f][0][i + 1]);
            largest = max_or_nan(largest, sum[f][1][i]);
            largest = max_or_nan(largest, sum[f][1][i + 1]);
            if (out_column + i / 2 < shape.out_w) y[line + out_column + i / 2] = largest;
        }
    }
}

}  // namespace convscope::CONVSCOPE_DIALECT
