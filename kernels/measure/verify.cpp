#include "kernels/measure/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace convscope {
namespace {

constexpr double unit_f32 = 0x1p-24;  // rounding to nearest, 24-bit significand
constexpr double unit_f16 = 0x1p-11;  // rounding to nearest, 11-bit significand
constexpr double cut_tf32 = 0x1p-10;  // TF32 keeps 11 bits, and the hardware may cut instead of rounding

/// Rounding in transforms that we do not know over that in the sums (docs/measuring.md, 'Winograd and FFT'). A Winograd
/// transform's points, and with them its error, grow with the filter: cuDNN's for 5x5 is seen at up to 180 times the
/// bound of the sums (docs/measurements/h100-correctness.md).
double transform_factor(const ConvShape& shape) {
    return std::max(shape.r, shape.s) <= 3 ? 16 : 256;
}

/// How many roundings there are on the way from one product of x and w to y, and by how much the magnitudes that they
/// act on can exceed the scale.
struct Sums {
    double roundings = 0, growth = 1;
};

Sums sums_of(const ConvShape& shape, Summation summation) {
    const auto c = static_cast<double>(shape.group_channels()), products = static_cast<double>(shape.reduction());
    // One rounding per product and per addition but the first, one of the reference to float, one of the scale.
    if (summation == Summation::direct) return {products + 2, 1};
    if (summation == Summation::transform) return {products + 2, transform_factor(shape)};
    // F(2x2, 3x3) sums 2 terms in the data's transform, 4 in the filter's, c over the channels, 4 in the inverse. Along
    // each dimension the magnitudes of a tile's products are those of 1 + 1 + 2 + 1 positions of the filter.
    return {c + 10 + 2, 5 * 5};
}

/// gamma_n = n u / (1 - n u): the classical bound for n roundings (Higham 2002, Lemma 3.1).
double gamma(double roundings, double unit) {
    const double product = roundings * unit;
    return product < 1 ? product / (1 - product) : std::numeric_limits<double>::infinity();
}

/// Errors below this are underflow, not rounding: the smallest normal number of FP32, of FP16 the
/// smallest subnormal, once per term.
double underflow(const ConvShape& shape, DType dtype) {
    const double smallest = dtype == DType::f16 ? 0x1p-24 : 0x1p-126;
    return static_cast<double>(shape.reduction()) * smallest;
}

double largest_finite(const Tensor& tensor) {
    double largest = 0;
    for (float value : tensor.data)
        if (std::isfinite(value)) largest = std::max(largest, static_cast<double>(value));
    return largest;
}

/// |y - reference| over the scale; infinite when either is NaN or infinite and the other is not the same.
double relative_error(float y, float reference, double scale) {
    if (std::isnan(y) && std::isnan(reference)) return 0;
    if (y == reference) return 0;  // equal infinities, too
    if (!std::isfinite(y) || !std::isfinite(reference)) return std::numeric_limits<double>::infinity();
    return std::abs(static_cast<double>(y) - static_cast<double>(reference)) / scale;
}

std::string place(const Tensor& tensor, std::size_t index) {
    const auto i = static_cast<std::int64_t>(index);
    return fmt::format("y[{},{},{},{}]", i / (tensor.c * tensor.h * tensor.w), i / (tensor.h * tensor.w) % tensor.c,
                       i / tensor.w % tensor.h, i % tensor.w);
}

bool same_sizes(const Tensor& a, const Tensor& b) {
    return a.n == b.n && a.c == b.c && a.h == b.h && a.w == b.w;
}

}  // namespace

double tolerance(const ConvShape& shape, DType dtype, Summation summation) {
    const auto [roundings, growth] = sums_of(shape, summation);
    double bound = 0;
    switch (dtype) {
        case DType::f32:
            bound = gamma(roundings, unit_f32);
            break;
        case DType::tf32:
            bound = 2 * cut_tf32 + gamma(2 * roundings, unit_f32);
            break;
        case DType::f16:
            bound = 3 * unit_f16 + gamma(2 * roundings, unit_f32);
            break;
    }
    return growth * bound;
}

Verification verify(const Tensor& y, const Tensor& reference, const Tensor& scale, const ConvShape& shape, DType dtype,
                    Summation summation, double largest_scale) {
    Verification result;
    result.tolerance = tolerance(shape, dtype, summation);
    if (!same_sizes(y, reference) || y.data.size() != reference.data.size()) {
        result.max_rel_err = std::numeric_limits<double>::infinity();
        result.reason = fmt::format("the result is {}x{}x{}x{} where the reference's is {}x{}x{}x{}", y.n, y.c, y.h,
                                    y.w, reference.n, reference.c, reference.h, reference.w);
        return result;
    }
    const double floor = underflow(shape, dtype) / result.tolerance;
    const bool direct = summation == Summation::direct;
    const double overall = std::max(largest_finite(scale), largest_scale);
    // A scale that no float holds: no sum is larger than as many of the largest product. With infinity for a scale
    // every finite result would pass.
    const double beyond = overall * static_cast<double>(shape.reduction());
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < y.data.size(); ++i) {
        const double own = !direct                        ? overall
                           : std::isfinite(scale.data[i]) ? static_cast<double>(scale.data[i])
                                                          : beyond;
        const double error = relative_error(y.data[i], reference.data[i], std::max(own, floor));
        result.max_rel_err = std::max(result.max_rel_err, error);
        // Sums too long for any bound have an infinite tolerance: NaN must not pass even there.
        if (error <= result.tolerance && std::isfinite(error)) continue;
        if (wrong++ == 0)  // the sign of a NaN says nothing
            result.reason = fmt::format("{} is {} where the reference has {}", place(y, i),
                                        std::isnan(y.data[i]) ? std::abs(y.data[i]) : y.data[i], reference.data[i]);
    }
    result.ok = wrong == 0;
    if (wrong > 0) result.reason += fmt::format(" ({} of {} elements are wrong)", wrong, y.data.size());
    return result;
}

}  // namespace convscope
