// The floating-point instructions' results, from one lane's operands.
//
// Instructions that GPUs approximate (ex2, sin, rsqrt, ...) are computed in float by the host's library: within the
// error that PTX allows, not bit for bit.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "kernels/ptx/run/half.h"

namespace convscope::ptx {

struct RealAdd {
    template <class T>
    static T of(T a, T b) {
        return a + b;
    }
};
struct RealSub {
    template <class T>
    static T of(T a, T b) {
        return a - b;
    }
};
struct RealMul {
    template <class T>
    static T of(T a, T b) {
        return a * b;
    }
};
struct RealDiv {
    template <class T>
    static T of(T a, T b) {
        return a / b;
    }
};
struct RealFma {
    static float of(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
    static double of(double a, double b, double c) { return __builtin_fma(a, b, c); }
};
/// A NaN loses against a number, and -0 is less than +0.
struct RealMin {
    template <class T>
    static T of(T a, T b) {
        if (a != a) return b;
        if (b != b) return a;
        return a < b || (a == b && std::signbit(a)) ? a : b;
    }
};
struct RealMax {
    template <class T>
    static T of(T a, T b) {
        if (a != a) return b;
        if (b != b) return a;
        return a > b || (a == b && std::signbit(b)) ? a : b;
    }
};
/// The variant in which NaN wins.
template <class F>
struct OrNan {
    template <class T>
    static T of(T a, T b) {
        return a != a || b != b ? std::numeric_limits<T>::quiet_NaN() : F::of(a, b);
    }
};
struct RealAbs {
    template <class T>
    static T of(T a) {
        return std::fabs(a);
    }
};
struct RealNeg {
    template <class T>
    static T of(T a) {
        return -a;
    }
};
struct CopySign {
    template <class T>
    static T of(T sign_of, T a) {
        return std::copysign(a, sign_of);
    }
};
struct Reciprocal {
    template <class T>
    static T of(T a) {
        return T{1} / a;
    }
};
struct SquareRoot {
    template <class T>
    static T of(T a) {
        return std::sqrt(a);
    }
};
struct ReciprocalRoot {
    static float of(float a) { return static_cast<float>(1.0 / std::sqrt(static_cast<double>(a))); }
    static double of(double a) { return 1.0 / std::sqrt(a); }
};
struct Sine {
    static float of(float a) { return std::sin(a); }
};
struct Cosine {
    static float of(float a) { return std::cos(a); }
};
struct Log2 {
    static float of(float a) { return std::log2(a); }
};
struct Exp2 {
    static float of(float a) { return std::exp2(a); }
};
struct Tanh {
    static float of(float a) { return std::tanh(a); }
};
struct Saturate {
    template <class T>
    static T of(T a) {
        return a > 0 ? (a < 1 ? a : T{1}) : T{0};
    }  // NaN becomes 0
};
struct Relu {
    template <class T>
    static T of(T a) {
        return a > 0 || a != a ? a : T{0};
    }
};

// Half precision: applies F to floats and rounds the result.
struct F16 {
    static float wide(std::uint16_t a) { return float_of_f16(a); }
    static std::uint16_t narrow(float a) { return f16_of_float(a); }
};
struct Bf16 {
    static float wide(std::uint16_t a) { return float_of_bf16(a); }
    static std::uint16_t narrow(float a) { return bf16_of_float(a); }
};
/// The float next to 'exact' whose last bit is odd, unless it is exact: rounding it again gives what rounding 'exact'
/// once would.
inline float rounded_to_odd(double exact) {
    const auto nearest = static_cast<float>(exact);
    if (static_cast<double>(nearest) == exact || !(std::fabs(nearest) < std::numeric_limits<float>::infinity()))
        return nearest;
    const float down =
        std::fabs(static_cast<double>(nearest)) > std::fabs(exact) ? std::nextafter(nearest, 0.0f) : nearest;
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(down) | 1);
}
template <class Format, class F>
struct Half {
    static std::uint16_t of(std::uint16_t a) { return Format::narrow(F::of(Format::wide(a))); }
    static std::uint16_t of(std::uint16_t a, std::uint16_t b) {
        return Format::narrow(F::of(Format::wide(a), Format::wide(b)));
    }
    static std::uint16_t of(std::uint16_t a, std::uint16_t b, std::uint16_t c) {
        return Format::narrow(rounded_to_odd(static_cast<double>(Format::wide(a)) * Format::wide(b) + Format::wide(c)));
    }
};
/// Both halves of 32 bits.
template <class F>
struct Pair {
    template <class... T>
    static std::uint32_t of(T... operand) {
        const std::uint32_t low = F::of(static_cast<std::uint16_t>(operand)...);
        const std::uint32_t high = F::of(static_cast<std::uint16_t>(operand >> 16)...);
        return high << 16 | low;
    }
};
/// Sets signs by their bits.
template <std::uint32_t Keep, std::uint32_t Flip>
struct SignBits {
    static std::uint16_t of(std::uint16_t a) { return static_cast<std::uint16_t>((a & Keep) ^ Flip); }
};

}  // namespace convscope::ptx
