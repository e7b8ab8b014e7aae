#include "kernels/fft/fft_spectra.h"

#include <algorithm>

#include "kernels/core/clones.h"
#include "kernels/core/parallel.h"
#include "kernels/fft/fft_size.h"

namespace convscope {
namespace {

constexpr std::int64_t filters_at_once = 4;

/// y += x conj(w) for 'count' frequencies of up to four filters, whose spectra are 'w_step' and 'y_step' floats apart.
CONVSCOPE_CLONES void multiply_add(const float* x, const float* w, std::int64_t w_step, float* y, std::int64_t y_step,
                                   std::int64_t filters, std::int64_t count) {
    for (std::int64_t filter = 0; filter < filters; ++filter, w += w_step, y += y_step)
        for (std::int64_t f = 0; f < count; ++f) {
            const float x_re = x[2 * f], x_im = x[2 * f + 1], w_re = w[2 * f], w_im = w[2 * f + 1];
            y[2 * f] += x_re * w_re + x_im * w_im;
            y[2 * f + 1] += x_im * w_re - x_re * w_im;
        }
}

}  // namespace

void pad_maps(const FftShape& shape, const float* from, std::int64_t h, std::int64_t w, std::int64_t pad_h,
              std::int64_t pad_w, float* to) {
#pragma omp parallel for if (worth_threads(shape.maps * shape.map_floats()))
    for (std::int64_t map = 0; map < shape.maps; ++map) {
        float* padded = to + map * shape.map_floats();
        std::fill_n(padded, shape.map_floats(), 0.0f);
        for (std::int64_t row = 0; row < h; ++row)
            std::copy_n(from + (map * h + row) * w, w, padded + (row + pad_h) * shape.row_floats() + pad_w);
    }
}

void multiply_spectra(const ConvShape& shape, const float* X, const float* W, float* Y) {
    // So many frequencies of four sums that they stay in the first-level cache, and of a group of filters that all
    // images find them in the next.
    constexpr std::int64_t chunk = 256;
    const std::int64_t frequencies = fft_sizes(shape).x.frequencies(), step = 2 * frequencies;
    const std::int64_t chunks = (frequencies + chunk - 1) / chunk;
    const std::int64_t groups = (shape.k + filters_at_once - 1) / filters_at_once;
#pragma omp parallel for collapse(2) schedule(dynamic) if (worth_threads(shape.n * shape.k * shape.c * frequencies))
    for (std::int64_t part = 0; part < chunks; ++part)
        for (std::int64_t group = 0; group < groups; ++group) {
            const std::int64_t first = 2 * part * chunk, count = std::min(chunk, frequencies - part * chunk);
            const std::int64_t filter = group * filters_at_once, filters = std::min(filters_at_once, shape.k - filter);
            for (std::int64_t image = 0; image < shape.n; ++image) {
                float* y = Y + (image * shape.k + filter) * step + first;
                for (std::int64_t i = 0; i < filters; ++i) std::fill_n(y + i * step, 2 * count, 0.0f);
                for (std::int64_t c = 0; c < shape.c; ++c)
                    multiply_add(X + (image * shape.c + c) * step + first, W + (filter * shape.c + c) * step + first,
                                 shape.c * step, y, step, filters, count);
            }
        }
}

void crop_maps(const ConvShape& shape, const float* maps, float* y) {
    const FftShape from = fft_sizes(shape).y;
    const float scale = 1.0f / static_cast<float>(from.rows * from.columns);
#pragma omp parallel for if (worth_threads(shape.conv_elements()))
    for (std::int64_t map = 0; map < from.maps; ++map)
        for (std::int64_t p = 0; p < shape.p(); ++p) {
            const float* row = maps + map * from.map_floats() + p * shape.stride_h * from.row_floats();
            float* to = y + (map * shape.p() + p) * shape.q();
            for (std::int64_t q = 0; q < shape.q(); ++q) to[q] = scale * row[q * shape.stride_w];
        }
}

}  // namespace convscope
