// Splits FP32 values into two FP16 values each: the high part, and the residual (Ootomo and Yokota, "Recovering single
// precision accuracy from Tensor Cores while surpassing the FP32 theoretical peak performance", 2022). FP16 has TF32's
// mantissa but not its range, so values are first scaled by a power of two. Scaled magnitudes of 2^-3 to 2^15 keep
// 22 bits; smaller ones keep the bits above 2^-25.
#pragma once

#include <cuda_fp16.h>

#include <cstdint>

namespace convscope::hopper {

/// A power of two that scales values before the split, and its inverse for the results.
struct Scale {
    float scale, inverse_scale;
    /// 'exponent': that of the largest value, biased as in FP32's bits; the scale brings this value to 2^14 .. 2^15.
    /// The exponent is clamped to -87 .. 87, so that scale and inverse stay in FP32's range; values beyond it overflow
    /// FP16 or lose bits.
    __device__ __forceinline__ explicit Scale(int exponent) {
        constexpr int bias = 127, target = 14, smallest = 40, largest = 214;
        const int shift = min(max(exponent, smallest), largest) - bias - target;
        scale = __uint_as_float(static_cast<std::uint32_t>(bias - shift) << 23);
        inverse_scale = __uint_as_float(static_cast<std::uint32_t>(bias + shift) << 23);
    }
};

/// Returns the bits of |value|, which order as magnitudes do; 0 for an infinity or a NaN.
__device__ __forceinline__ std::uint32_t finite_magnitude(float value) {
    const std::uint32_t bits = __float_as_uint(value) & 0x7fffffffu;
    return bits < 0x7f800000u ? bits : 0u;
}

/// Scales two values and splits each; hi and lo are pairs of FP16. The residual of an infinity is a NaN, and so is
/// every sum that it enters.
struct SplitPair {
    std::uint32_t hi, lo;
    __device__ __forceinline__ SplitPair(float x, float y, float scale) {
        __half2 both = __floats2half2_rn(x * scale, y * scale);
        const float2 held = __half22float2(both);
        __half2 left = __floats2half2_rn(fmaf(x, scale, -held.x), fmaf(y, scale, -held.y));
        hi = *reinterpret_cast<std::uint32_t*>(&both);
        lo = *reinterpret_cast<std::uint32_t*>(&left);
    }
};

}  // namespace convscope::hopper
