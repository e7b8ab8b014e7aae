// Winograd F(2x2, 3x3) on a GPU: the three transforms of Lavin 2015, Algorithm 1. Its 16 matrix products, one for each
// element e of a tile, are a batch of the library's: M[e] = V[e] U[e].
//
//     U [16][c][k]      the filters        V [16][tiles][c]   the map         M [16][tiles][k]   the products
//
// x and y are NHWC, and channels or filters run fastest in U, V and M. So each of a thread's 16 loads and 16 stores is
// one run of adjacent floats for a warp, 4 sectors a request and none without use, whatever the size of the map; all
// lanes of a warp that share a tile take the same side of every test for padding and edges; and the matrices come out
// row-major, nothing transposed. With tiles fastest instead, as for NCHW, a warp would read every second float of a
// row, and rows of 7 tiles would not fill it. The planes of V and M begin at multiples of 256 bytes ('plane' is their
// distance in floats), so that no warp's run of an odd size lies across a fifth sector.
#pragma once

#include "kernels/simt/dialect.h"
#include "kernels/simt/kernel_shape.h"
#include "kernels/winograd/f2x2_3x3.h"

namespace convscope::CONVSCOPE_DIALECT {

/// U = G g G^T. One thread per filter and channel, in U's order; block: x along it.
KERNEL winograd_filter(KernelShape shape, Global<const float> w, Global<float> U) {
    const int plane = shape.c * shape.k;
    const long long place = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (place >= plane) return;
    const int filter = static_cast<int>(place) % shape.k;
    const int channel = static_cast<int>(place) / shape.k;

    float g[3][3], u[4][4];
    UNROLL for (int i = 0; i < 3; ++i) {
        UNROLL for (int j = 0; j < 3; ++j) g[i][j] = w[(filter * shape.c + channel) * 9 + i * 3 + j];
    }
    f2x2_3x3::transform_filter(g, u);
    UNROLL for (int i = 0; i < 4; ++i) {
        UNROLL for (int j = 0; j < 4; ++j) U[(i * 4 + j) * static_cast<long long>(plane) + place] = u[i][j];
    }
}

/// V = B^T d B. One thread per tile and channel, in V's order; block: x along it.
KERNEL winograd_input(KernelShape shape, Global<const float> x, Global<float> V, long long plane) {
    const int tiles_h = (shape.p + 1) / 2, tiles_w = (shape.q + 1) / 2;
    const long long place = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (place >= static_cast<long long>(shape.n) * tiles_h * tiles_w * shape.c) return;
    const int channel = static_cast<int>(place) % shape.c;
    const int tile = static_cast<int>(place) / shape.c;
    const int left = tile % tiles_w * 2 - shape.pad_w;
    const int top = tile / tiles_w % tiles_h * 2 - shape.pad_h;
    const int image = tile / tiles_w / tiles_h;

    float d[4][4], v[4][4];
    UNROLL for (int i = 0; i < 4; ++i) {
        UNROLL for (int j = 0; j < 4; ++j) {
            const int row = top + i, column = left + j;
            float value = 0.0f;
            if (row >= 0 && row < shape.h && column >= 0 && column < shape.w)
                value = x[((image * shape.h + row) * shape.w + column) * shape.c + channel];
            d[i][j] = value;
        }
    }
    f2x2_3x3::transform_data(d, v);
    UNROLL for (int i = 0; i < 4; ++i) {
        UNROLL for (int j = 0; j < 4; ++j) V[(i * 4 + j) * plane + place] = v[i][j];
    }
}

/// Y = A^T M A. One thread per tile and filter, in M's order; block: x along it.
KERNEL winograd_output(KernelShape shape, Global<const float> M, Global<float> y, long long plane) {
    const int tiles_h = (shape.p + 1) / 2, tiles_w = (shape.q + 1) / 2;
    const long long place = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (place >= static_cast<long long>(shape.n) * tiles_h * tiles_w * shape.k) return;
    const int filter = static_cast<int>(place) % shape.k;
    const int tile = static_cast<int>(place) / shape.k;
    const int left = tile % tiles_w * 2;
    const int top = tile / tiles_w % tiles_h * 2;
    const int image = tile / tiles_w / tiles_h;

    float m[4][4], output[2][2];
    UNROLL for (int i = 0; i < 4; ++i) {
        UNROLL for (int j = 0; j < 4; ++j) m[i][j] = M[(i * 4 + j) * plane + place];
    }
    f2x2_3x3::transform_inverse(m, output);
    UNROLL for (int i = 0; i < 2; ++i) {
        UNROLL for (int j = 0; j < 2; ++j) {
            const int row = top + i, column = left + j;
            if (row < shape.p && column < shape.q)
                y[((image * shape.p + row) * shape.q + column) * shape.k + filter] = output[i][j];
        }
    }
}

}  // namespace convscope::CONVSCOPE_DIALECT
