// The transforms of fft1: how large they are, on every device.
#pragma once

#include <cstdint>

#include "kernels/method/batched_fft.h"
#include "kernels/method/flops.h"

namespace convscope {

/// The least number from 'length' on that has no prime factor above 7: FFTW and cuFFT have fast code for 2, 3, 5 and 7.
constexpr std::int64_t fft_length(std::int64_t length) {
    for (;; ++length) {
        std::int64_t rest = length;
        for (const std::int64_t prime : {2, 3, 5, 7})
            while (rest % prime == 0) rest /= prime;
        if (rest == 1) return length;
    }
}

/// The transform of 'maps' maps, or filters padded to a map's size. As large as the padded map: an output's window ends
/// inside of it, so none of the outputs that are kept meets what wraps around. An even width, since a real transform of
/// even length is a complex one of half the length.
inline FftShape fft_shape(const ConvShape& shape, std::int64_t maps) {
    std::int64_t columns = fft_length(shape.padded_w());
    while (columns % 2 != 0) columns = fft_length(columns + 1);
    return {maps, fft_length(shape.padded_h()), columns};
}

struct FftSizes {
    FftShape x, w, y;  ///< n c, k c and n k maps

    /// On a GPU those of x and y share an allocation: y's begin here, aligned as an allocation of their own.
    std::int64_t y_offset() const { return (x.bytes() + 255) / 256 * 256; }
};
inline FftSizes fft_sizes(const ConvShape& shape) {
    return {fft_shape(shape, shape.n * shape.c), fft_shape(shape, shape.k * shape.c),
            fft_shape(shape, shape.n * shape.k)};
}

/// 2 per real multiply-add of the spectra's complex products, 4 for each; the transforms are not counted.
inline std::optional<double> fft_flops(const Workload& workload) {
    const ConvShape& shape = workload.spec.shape;
    const std::int64_t products = shape.n * shape.k * shape.group_channels() * fft_sizes(shape).y.frequencies();
    return 2.0 * 4.0 * static_cast<double>(products);
}

}  // namespace convscope
