// 16-bit floating-point numbers, stored as their bits. Arithmetic is done in float and rounded to the nearest even,
// which gives the correctly rounded result of one addition, multiplication or fused multiply-add of f16; the latter in
// double.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace convscope::ptx {

inline float float_of_f16(std::uint16_t half) {
    const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000) << 16, magnitude = half & 0x7fff;
    if (magnitude >= 0x7c00) return std::bit_cast<float>(sign | 0x7f800000 | (magnitude & 0x3ff) << 13);
    // Also right for subnormal numbers: the multiplication shifts the exponent.
    return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude << 13) * 0x1p112f));
}

inline std::uint16_t f16_of_float(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000);
    const std::uint32_t magnitude = bits & 0x7fffffff;
    if (magnitude > 0x7f800000) return 0x7fff;  // the NaN of PTX
    if (magnitude >= 0x477ff000) return static_cast<std::uint16_t>(sign | 0x7c00);
    if (magnitude < 0x38800000) {  // subnormal: adding 0.5 rounds at the last bit
        const float rounded = std::bit_cast<float>(magnitude) + 0.5f;
        return static_cast<std::uint16_t>(sign | (std::bit_cast<std::uint32_t>(rounded) - 0x3f000000));
    }
    return static_cast<std::uint16_t>(sign | ((magnitude - 0x38000000 + 0xfff + (magnitude >> 13 & 1)) >> 13));
}

inline float float_of_bf16(std::uint16_t half) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(half) << 16);
}

inline std::uint16_t bf16_of_float(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    if ((bits & 0x7fffffff) > 0x7f800000) return 0x7fff;
    return static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

/// Rounds to 10 bits of mantissa, to the nearest, ties away from zero, as cvt.rna does.
inline float tf32_of_float(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    if ((bits & 0x7f800000) == 0x7f800000) return value;
    return std::bit_cast<float>((bits + 0x1000) & 0xffffe000);
}

/// A float as a tensor core reads it: the bits that tf32 lacks are dropped.
inline float tf32_bits(float value) {
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) & 0xffffe000);
}

}  // namespace convscope::ptx
