#include "kernels/reference/direct_double.h"

#include <algorithm>
#include <cmath>

#include "kernels/core/ceil_div.h"
#include "kernels/core/clones.h"
#include "kernels/core/parallel.h"

namespace convscope {
namespace {

constexpr std::int64_t filter_group = 4;  // filters that share the loads of x
constexpr std::int64_t lanes = 8;         // doubles of one vector (AVX-512; the compiler splits it for narrower ones)
constexpr std::int64_t piece = 16;        // outputs per piece: two vectors, so 8 independent sums hide the FMA latency

using Vector = double __attribute__((vector_size(lanes * sizeof(double)), aligned(8), may_alias));

// One filter group on one piece: sums[filter][output]. 'taps' offsets are the same for every channel.
CONVSCOPE_CLONES void accumulate(const double* x, std::int64_t channel_stride, std::int64_t channels,
                                 const std::int64_t* taps, std::int64_t count, const double* weights, double* sums) {
    Vector low[filter_group] = {}, high[filter_group] = {};
    for (std::int64_t c = 0; c < channels; ++c, x += channel_stride)
        for (std::int64_t t = 0; t < count; ++t, weights += filter_group) {
            const Vector x_low = *reinterpret_cast<const Vector*>(x + taps[t]);
            const Vector x_high = *reinterpret_cast<const Vector*>(x + taps[t] + lanes);
            for (std::int64_t f = 0; f < filter_group; ++f) {
                low[f] += x_low * weights[f];
                high[f] += x_high * weights[f];
            }
        }
    for (std::int64_t f = 0; f < filter_group; ++f) {
        *reinterpret_cast<Vector*>(sums + f * piece) = low[f];
        *reinterpret_cast<Vector*>(sums + f * piece + lanes) = high[f];
    }
}

/// How far behind the last plane a tap is read: the last piece may be cut off by the plane's end, and its outputs right
/// of column q reach on by the filter's width.
std::int64_t overrun(const ConvShape& shape) {
    return piece + (shape.span_w() - 1) / shape.stride_w;
}

double value_of(float value, bool magnitude) {
    return magnitude ? std::fabs(static_cast<double>(value)) : static_cast<double>(value);
}

}  // namespace

DirectDouble::DirectDouble(const ConvShape& shape)
    : shape_(shape),
      phase_h_(ceil_div(shape.padded_h(), shape.stride_h)),
      phase_w_(ceil_div(shape.padded_w(), shape.stride_w)),
      plane_(phase_h_ * phase_w_),
      phases_w_(std::min(shape.stride_w, shape.padded_w())),
      map_elements_(plane_ * std::min(shape.stride_h, shape.padded_h()) * phases_w_ + overrun(shape)) {
    for (std::int64_t i = 0; i < shape.span_h(); i += shape.dilation_h)
        for (std::int64_t j = 0; j < shape.span_w(); j += shape.dilation_w) {
            std::int64_t phase = (i % shape.stride_h) * phases_w_ + j % shape.stride_w;
            tap_offset_.push_back(phase * plane_ + (i / shape.stride_h) * phase_w_ + j / shape.stride_w);
        }
}

std::int64_t DirectDouble::x_elements() const {
    return shape_.n * shape_.c * map_elements_;
}

std::int64_t DirectDouble::w_elements() const {
    return ceil_div(shape_.k, filter_group) * filter_group * shape_.reduction();
}

void DirectDouble::sort_map(const float* map, double* sorted, bool magnitudes) const {
    std::fill_n(sorted, map_elements_, 0.0);
    for (std::int64_t i = 0; i < shape_.h; ++i) {
        const std::int64_t row = i + shape_.pad_h;
        for (std::int64_t j = 0; j < shape_.w; ++j) {
            const std::int64_t column = j + shape_.pad_w;
            const std::int64_t phase = (row % shape_.stride_h) * phases_w_ + column % shape_.stride_w;
            const std::int64_t place = (row / shape_.stride_h) * phase_w_ + column / shape_.stride_w;
            sorted[phase * plane_ + place] = value_of(map[i * shape_.w + j], magnitudes);
        }
    }
}

void DirectDouble::sort_x(const float* x, double* sorted, bool magnitudes) const {
#pragma omp parallel for if (worth_threads(shape_.x_elements()))
    for (std::int64_t map = 0; map < shape_.n * shape_.c; ++map)
        sort_map(x + map * shape_.h * shape_.w, sorted + map * map_elements_, magnitudes);
}

void DirectDouble::pack_w(const float* w, double* packed, bool magnitudes) const {
    const std::int64_t reduction = shape_.reduction();
#pragma omp parallel for if (worth_threads(shape_.w_elements()))
    for (std::int64_t g = 0; g < ceil_div(shape_.k, filter_group); ++g)
        for (std::int64_t t = 0; t < reduction; ++t)
            for (std::int64_t f = 0; f < filter_group; ++f) {
                const std::int64_t filter = g * filter_group + f;
                packed[(g * reduction + t) * filter_group + f] =
                    filter < shape_.k ? value_of(w[filter * reduction + t], magnitudes) : 0.0;
            }
}

void DirectDouble::store_piece(const double* sums, std::int64_t first, std::int64_t filters, float* y) const {
    // Outputs are computed along whole phase rows; what lies right of column q is not an output.
    const std::int64_t last = std::min(first + piece, shape_.p() * phase_w_);
    for (std::int64_t at = first; at < last; ++at) {
        const std::int64_t row = at / phase_w_, column = at % phase_w_;
        if (column >= shape_.q()) continue;
        for (std::int64_t f = 0; f < filters; ++f)
            y[f * shape_.p() * shape_.q() + row * shape_.q() + column] =
                static_cast<float>(sums[f * piece + at - first]);
    }
}

void DirectDouble::multiply(const double* sorted, const double* packed, float* y, const std::stop_token& stop) const {
    const std::int64_t groups = ceil_div(shape_.k, filter_group);
    const std::int64_t pieces = ceil_div(shape_.p() * phase_w_, piece);
#pragma omp parallel for collapse(3) if (worth_threads(shape_.conv_elements() * shape_.reduction()))
    for (std::int64_t n = 0; n < shape_.n; ++n)
        for (std::int64_t g = 0; g < groups; ++g)
            for (std::int64_t i = 0; i < pieces; ++i) {
                if (stop.stop_requested()) continue;
                double sums[filter_group * piece];
                accumulate(sorted + n * shape_.c * map_elements_ + i * piece, map_elements_, shape_.c,
                           tap_offset_.data(), shape_.window(), packed + g * filter_group * shape_.reduction(), sums);
                store_piece(sums, i * piece, std::min(filter_group, shape_.k - g * filter_group),
                            y + (n * shape_.k + g * filter_group) * shape_.p() * shape_.q());
            }
}

}  // namespace convscope
