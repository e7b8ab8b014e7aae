// The steps of fft1 around the transforms: padding, the products of spectra, cropping.
#pragma once

#include "kernels/simt/dialect.h"
#include "kernels/simt/kernel_shape.h"

namespace convscope::CONVSCOPE_DIALECT {

/// Maps of h x w floats, each to (pad_h, pad_w) of a map of the transform's size, zeros around it; its rows are
/// row_floats apart. For x, and for the filters, which are padded to the same size. Block: x along a row of the padded
/// map, y rows. Grid: x groups of rows of all maps, strided over when the grid is smaller than their number.
KERNEL fft_pad(Global<const float> from, int h, int w, int pad_h, int pad_w, Global<float> to, int maps, int rows,
               int row_floats) {
    const long long all_rows = static_cast<long long>(maps) * rows;
    const long long step = static_cast<long long>(gridDim.x) * blockDim.y;
    for (long long row = static_cast<long long>(blockIdx.x) * blockDim.y + threadIdx.y; row < all_rows; row += step) {
        const long long map = row / rows;
        const int from_row = static_cast<int>(row % rows) - pad_h;
        const bool row_inside = from_row >= 0 && from_row < h;
        for (int column = threadIdx.x; column < row_floats; column += blockDim.x) {
            const int from_column = column - pad_w;
            float value = 0.0f;  // also behind the row, where transforms read in passing
            if (row_inside && from_column >= 0 && from_column < w) value = from[(map * h + from_row) * w + from_column];
            to[row * row_floats + column] = value;
        }
    }
}

/// Y[n, k] = sum over c of X[n, c] conj(W[k, c]) at each frequency: a product with the conjugate is cross-correlation.
/// X is [n][c][frequencies], W [k][c][frequencies], Y [n][k][frequencies].
///
/// A thread has one frequency of 'images' x 'filters' results in registers, so that a spectrum's element is used by all
/// of them once it is loaded. Block: x frequencies, so that loads are adjacent; y groups of filters, which find the
/// elements of X in the L1 cache. Grid: x groups of frequencies, y groups of filters, z groups of images, strided over
/// when the grid is smaller than their number.
template <int images, int filters>
KERNEL fft_multiply(Global<const float2> X, Global<const float2> W, Global<float2> Y, int n, int c, int k,
                    int frequencies) {
    const int frequency = blockIdx.x * blockDim.x + threadIdx.x;
    const int first_filter = (blockIdx.y * blockDim.y + threadIdx.y) * filters;
    if (frequency >= frequencies || first_filter >= k) return;

    const long long spectra = static_cast<long long>(c) * frequencies;  // of one image, or one filter
    for (int first_image = blockIdx.z * images; first_image < n; first_image += gridDim.z * images) {
        // Where there are no more images or filters the last one is read again, and its results are not kept.
        long long from_x[images], from_w[filters];
        UNROLL for (int i = 0; i < images; ++i) from_x[i] = min(first_image + i, n - 1) * spectra + frequency;
        UNROLL for (int j = 0; j < filters; ++j) from_w[j] = min(first_filter + j, k - 1) * spectra + frequency;
        float re[images][filters] = {}, im[images][filters] = {};
        for (long long channel = 0; channel < spectra; channel += frequencies) {
            float2 x[images], w[filters];
            UNROLL for (int i = 0; i < images; ++i) x[i] = X[from_x[i] + channel];
            UNROLL for (int j = 0; j < filters; ++j) w[j] = W[from_w[j] + channel];
            UNROLL for (int i = 0; i < images; ++i) {
                UNROLL for (int j = 0; j < filters; ++j) {
                    re[i][j] = fmaf(x[i].x, w[j].x, re[i][j]);
                    re[i][j] = fmaf(x[i].y, w[j].y, re[i][j]);
                    im[i][j] = fmaf(x[i].y, w[j].x, im[i][j]);
                    im[i][j] = fmaf(-x[i].x, w[j].y, im[i][j]);
                }
            }
        }
        UNROLL for (int i = 0; i < images; ++i) {
            UNROLL for (int j = 0; j < filters; ++j) {
                if (first_image + i >= n || first_filter + j >= k) continue;
                const long long map = static_cast<long long>(first_image + i) * k + first_filter + j;
                Y[map * frequencies + frequency] = float2{re[i][j], im[i][j]};
            }
        }
    }
}

/// y, NCHW: every stride-th element of the transform's maps, scaled back. Maps have 'rows' rows, row_floats apart.
/// Block: x along a row of y, y rows. Grid: x groups of rows of y, strided over when the grid is smaller than their
/// number.
KERNEL fft_crop(KernelShape shape, Global<const float> maps, int rows, int row_floats, float scale, Global<float> y) {
    const long long all_rows = static_cast<long long>(shape.n) * shape.k * shape.p;
    const long long step = static_cast<long long>(gridDim.x) * blockDim.y;
    for (long long row = static_cast<long long>(blockIdx.x) * blockDim.y + threadIdx.y; row < all_rows; row += step) {
        const long long from = (row / shape.p * rows + row % shape.p * shape.stride_h) * row_floats;
        for (int column = threadIdx.x; column < shape.q; column += blockDim.x) {
            const float value = maps[from + column * shape.stride_w];
            y[row * shape.q + column] = scale * value;
        }
    }
}

}  // namespace convscope::CONVSCOPE_DIALECT
