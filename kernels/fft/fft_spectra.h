// fft1's steps around the transforms on the CPU.
#pragma once

#include "kernels/layers/conv_shape.h"
#include "kernels/method/batched_fft.h"

namespace convscope {

/// 'shape.maps' maps of h x w floats, each to (pad_h, pad_w) of a map of the transform's size, zeros around it.
void pad_maps(const FftShape& shape, const float* from, std::int64_t h, std::int64_t w, std::int64_t pad_h,
              std::int64_t pad_w, float* to);

/// Y[n, k] = sum over c of X[n, c] conj(W[k, c]) at each frequency: cross-correlation. Spectra of fft_sizes().
void multiply_spectra(const ConvShape&, const float* X, const float* W, float* Y);

/// y, NCHW, from the transform's maps: every stride-th element, scaled back by rows x columns.
void crop_maps(const ConvShape&, const float* maps, float* y);

}  // namespace convscope
