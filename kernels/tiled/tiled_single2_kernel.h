// tiled-single2: one channel, at the speed at which y can be written (after Chang et al., Section 3.1).
//
// A layer of one channel writes 4 bytes for 2 r s FLOPs, so the stores are the work and everything else has to stay out
// of their way. Chang et al. keep the map or the filters in shared memory. Here a thread holds the windows of four
// adjacent outputs in registers, (r + 3) x r elements that are loaded once, and applies filter after filter to them:
// per filter it reads the weights, the same for all lanes and in the L1 cache, and stores 16 bytes. No shared memory,
// no barrier, so nothing waits but for the first load.
//
// A warp's stores fill whole sectors of 32 bytes only where they start at one. Rows of y rarely do (1022 floats),
// planes of y mostly do. So the quads are counted from the start of the plane, and a row begins and ends with a cut
// one, whose outputs are stored one by one.
#pragma once

#include "kernels/simt/kernel_shape.h"
#include "kernels/simt/streaming_store.h"
#include "kernels/tiled/single2_tiling.h"

namespace convscope::CONVSCOPE_DIALECT {

/// w is [k][r s]; prepared is [k][pitch], zeros behind the weights, so that a filter starts at a float4. One thread per
/// float of 'prepared'.
KERNEL tiled_single2_weights(KernelShape shape, int pitch, Global<const float> w, Global<float> prepared) {
    const int place = static_cast<int>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (place >= shape.k * pitch) return;
    const int filter = place / pitch, tap = place % pitch, taps = shape.r * shape.s;
    float weight = 0.0f;
    if (tap < taps) weight = w[filter * taps + tap];
    prepared[place] = weight;
}

/// The windows of Rows quads, 'Step' rows apart, in registers. Load: floats of x fetched at once.
template <int K, int Rows, int Step, int Load>
struct QuadWindows {
    static constexpr int rows = K + (Rows - 1) * Step, columns = (K + 3 + Load - 1) / Load * Load;
    float at[rows][columns];

    /// (row, column) is the first window's first element; x outside of the map is 0. Where Load is more than one, so
    /// many floats are either all in the map or all outside of it.
    DEVICE void load(const KernelShape& shape, Global<const float> x, int image, int row, int column) {
        UNROLL
        for (int i = 0; i < rows; ++i) {
            UNROLL
            for (int j = 0; j < columns; j += Load) {
                const int y = row + i, z = column + j;
                const bool inside = y >= 0 && y < shape.h && z >= 0 && z < shape.w;
                const Global<const float> from = x + (image + y * shape.w + z);
                if constexpr (Load == 4) {
                    float4 four{0.0f, 0.0f, 0.0f, 0.0f};
                    if (inside) four = __ldg(vectors<const float4>(from));
                    at[i][j] = four.x;
                    at[i][j + 1] = four.y;
                    at[i][j + 2] = four.z;
                    at[i][j + 3] = four.w;
                } else if constexpr (Load == 2) {
                    float2 two{0.0f, 0.0f};
                    if (inside) two = __ldg(vectors<const float2>(from));
                    at[i][j] = two.x;
                    at[i][j + 1] = two.y;
                } else {
                    at[i][j] = 0.0f;
                    if (inside) at[i][j] = __ldg(from);
                }
            }
        }
    }
    /// One filter, its weights, on all quads.
    DEVICE void apply(const KernelShape&, Global<const float> filter, float (&sum)[Rows][4]) const {
        constexpr int fours = (K * K + 3) / 4;
        float weight[4 * fours];
        if constexpr (K == 1) {
            weight[0] = __ldg(filter);
        } else {
            UNROLL
            for (int i = 0; i < fours; ++i) {
                const float4 four = __ldg(vectors<const float4>(filter + 4 * i));
                weight[4 * i] = four.x;
                weight[4 * i + 1] = four.y;
                weight[4 * i + 2] = four.z;
                weight[4 * i + 3] = four.w;
            }
        }
        UNROLL
        for (int tap = 0; tap < K * K; ++tap) UNROLL
        for (int row = 0; row < Rows; ++row) UNROLL
        for (int i = 0; i < 4; ++i) sum[row][i] = fmaf(at[row * Step + tap / K][tap % K + i], weight[tap], sum[row][i]);
    }
};

/// A filter of any size: every element is read where it is needed, from the L1 cache mostly.
template <int Rows, int Step, int Load>
struct QuadWindows<0, Rows, Step, Load> {
    Global<const float> x;
    int image, row, column;

    DEVICE void load(const KernelShape&, Global<const float> from, int first, int first_row, int first_column) {
        x = from;
        image = first;
        row = first_row;
        column = first_column;
    }
    DEVICE void apply(const KernelShape& shape, Global<const float> filter, float (&sum)[Rows][4]) const {
        for (int r = 0; r < shape.r; ++r)
            for (int s = 0; s < shape.s; ++s) {
                const float weight = __ldg(filter + (r * shape.s + s));
                UNROLL
                for (int i = 0; i < Rows; ++i) UNROLL
                for (int j = 0; j < 4; ++j) {
                    const int y = row + i * Step + r, z = column + j + s;
                    float element = 0.0f;
                    if (y >= 0 && y < shape.h && z >= 0 && z < shape.w) element = x[image + y * shape.w + z];
                    sum[i][j] = fmaf(element, weight, sum[i][j]);
                }
            }
    }
};

/// Four outputs of one filter, the first at 'to' and in this column of y; those outside of the row are not the quad's.
DEVICE void store_quad(const KernelShape& shape, const Single2Tiling& tiling, Global<float> to, int column,
                       const float (&sum)[4]) {
    if (tiling.aligned && column >= 0 && column + 3 < shape.q) {
        const float4 four{sum[0], sum[1], sum[2], sum[3]};
        if (tiling.stream)
            store_streaming(to, 0, four);
        else
            vectors<float4>(to)[0] = four;
        return;
    }
    UNROLL
    for (int i = 0; i < 4; ++i)
        if (column + i >= 0 && column + i < shape.q) to[i] = sum[i];
}

/// Grid: x the quads of an image, row after row, y the groups of tiling.filters filters, z the images. Block: up to
/// 256 threads along x. 'weights' are those of tiled_single2_weights.
template <int K, int Rows, int Step, int Load>
KERNEL LAUNCH_BOUNDS(256) tiled_single2(KernelShape shape, Single2Tiling tiling, Global<const float> x,
                                        Global<const float> weights, Global<float> y) {
    const unsigned item = blockIdx.x * blockDim.x + threadIdx.x;
    const int line = static_cast<int>(item / static_cast<unsigned>(tiling.quads));
    const int row = Rows == 1 ? line : line / Step * (Rows * Step) + line % Step;
    if (line >= tiling.rows || row >= shape.p) return;
    const int quad = static_cast<int>(item) - line * tiling.quads;
    const int column = quad * 4 - (tiling.aligned ? row * shape.q & 3 : 0);
    if (column >= shape.q) return;

    QuadWindows<K, Rows, Step, Load> windows;
    windows.load(shape, x, static_cast<int>(blockIdx.z) * shape.h * shape.w, row - shape.pad_h, column - shape.pad_w);

    const int first = static_cast<int>(blockIdx.y) * tiling.filters, last = min(first + tiling.filters, shape.k);
    const int plane = shape.p * shape.q;
    Global<float> to = y + ((static_cast<int>(blockIdx.z) * shape.k + first) * plane + row * shape.q + column);
    Global<const float> from = weights + first * tiling.pitch;
    NO_UNROLL
    for (int filter = first; filter < last; ++filter, to = to + plane, from = from + tiling.pitch) {
        float sum[Rows][4] = {};
        windows.apply(shape, from, sum);
        UNROLL
        for (int i = 0; i < Rows; ++i)
            if (row + i * Step < shape.p) store_quad(shape, tiling, to + i * Step * shape.q, column, sum[i]);
    }
}

}  // namespace convscope::CONVSCOPE_DIALECT
