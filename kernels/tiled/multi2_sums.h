// The sums that a thread of tiled-multi2 keeps in registers (its text is included by the kernel).
#pragma once

#include "kernels/simt/kernel_shape.h"
#include "kernels/tiled/multi2_tiling.h"

namespace convscope::CONVSCOPE_DIALECT {

/// Filters x Rows rows of four adjacent outputs.
template <int Filters, int Rows>
struct Multi2Sums {
    static constexpr int count = Filters * Rows * 4;
    float at[Filters][Rows][4] = {};

    DEVICE void add(const float (&weight)[Filters], int row, int i, float pixel) {
        UNROLL
        for (int filter = 0; filter < Filters; ++filter)
            at[filter][row][i] = fmaf(pixel, weight[filter], at[filter][row][i]);
    }
    DEVICE static void load(Shared<const float> weights, float (&weight)[Filters]) {
        UNROLL
        for (int filter = 0; filter < Filters; filter += 4) {
            const float4 four = vectors<const float4>(weights + filter)[0];
            weight[filter] = four.x;
            weight[filter + 1] = four.y;
            weight[filter + 2] = four.z;
            weight[filter + 3] = four.w;
        }
    }
    /// One channel of K x K filters: 'pixels' is the thread's first element of the tile's input, 'weights' its first
    /// filter's first tap, 'filters' floats before the next tap's. A row of the input is read once, for all taps that
    /// it meets.
    template <int K>
    DEVICE void multiply(const KernelShape& shape, Shared<const float> pixels, int pitch, Shared<const float> weights,
                         int filters) {
        if constexpr (K == 0) {
            multiply_any(shape, pixels, pitch, weights, filters);
        } else {
            constexpr int fours = (K + 6) / 4;
            float window[Rows + K - 1][4 * fours];
            UNROLL
            for (int i = 0; i < Rows + K - 1; ++i) {
                UNROLL
                for (int j = 0; j < fours; ++j) {
                    const float4 four = vectors<const float4>(pixels + (i * pitch + 4 * j))[0];
                    window[i][4 * j] = four.x;
                    window[i][4 * j + 1] = four.y;
                    window[i][4 * j + 2] = four.z;
                    window[i][4 * j + 3] = four.w;
                }
            }
            UNROLL
            for (int tap = 0; tap < K * K; ++tap) {
                float weight[Filters];
                load(weights + tap * filters, weight);
                UNROLL
                for (int row = 0; row < Rows; ++row) UNROLL
                for (int i = 0; i < 4; ++i) add(weight, row, i, window[row + tap / K][tap % K + i]);
            }
        }
    }
    /// A filter of any size.
    DEVICE void multiply_any(const KernelShape& shape, Shared<const float> pixels, int pitch,
                             Shared<const float> weights, int filters) {
        NO_UNROLL
        for (int r = 0; r < shape.r; ++r) {
            NO_UNROLL
            for (int s = 0; s < shape.s; ++s) {
                float weight[Filters];
                load(weights + (r * shape.s + s) * filters, weight);
                UNROLL
                for (int row = 0; row < Rows; ++row) UNROLL
                for (int i = 0; i < 4; ++i) {
                    const float pixel = pixels[(row + r) * pitch + s + i];
                    add(weight, row, i, pixel);
                }
            }
        }
    }
    /// The sums to or from shared memory, 'apart' floats between them, so that threads side by side are, too.
    DEVICE void put(Shared<float> to, int apart) const {
        UNROLL
        for (int i = 0; i < count; ++i) to[i * apart] = at[i / (Rows * 4)][i / 4 % Rows][i % 4];
    }
    DEVICE void take(Shared<const float> from, int apart) {
        UNROLL
        for (int i = 0; i < count; ++i) {
            const float other = from[i * apart];
            at[i / (Rows * 4)][i / 4 % Rows][i % 4] += other;
        }
    }
    /// To y, or to a part of it: 'first' is the index of the first filter's plane; rows from 'row' on, columns from
    /// 'column' on; filters from 'present' on are not there.
    DEVICE void store(const Multi2Map& map, Global<float> y, int first, int row, int column, int present) const {
        const int alike = map.q | map.output_plane;  // its multiples of two and four are both's
        UNROLL
        for (int filter = 0; filter < Filters; ++filter) {
            if (filter >= present) break;
            UNROLL
            for (int i = 0; i < Rows; ++i) {
                const int at_row = row + i, in_plane = at_row * map.q + column;
                const float(&sum)[4] = at[filter][i];
                if (at_row >= map.p || column >= map.q || in_plane >= map.output_plane) continue;
                const int place = first + filter * map.output_plane + in_plane;
                if (alike % 4 == 0) {
                    vectors<float4>(y)[place / 4] = float4{sum[0], sum[1], sum[2], sum[3]};
                } else if (alike % 2 == 0) {
                    vectors<float2>(y)[place / 2] = float2{sum[0], sum[1]};
                    if (column + 2 < map.q && in_plane + 2 < map.output_plane)
                        vectors<float2>(y)[place / 2 + 1] = float2{sum[2], sum[3]};
                } else {
                    UNROLL
                    for (int j = 0; j < 4; ++j)
                        if (column + j < map.q && in_plane + j < map.output_plane) y[place + j] = sum[j];
                }
            }
        }
    }
};

}  // namespace convscope::CONVSCOPE_DIALECT
