// Rounding to TF32, which the tensor cores do not do themselves: they truncate.
#pragma once

namespace convscope::hopper {

/// To the nearest value with 10 bits of mantissa, halves away from zero. A NaN stays one.
__device__ __forceinline__ float rounded_to_tf32(float value) {
    unsigned bits;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(value));
    return __uint_as_float(bits);
}

__device__ __forceinline__ float4 rounded_to_tf32(const float4& four) {
    return make_float4(rounded_to_tf32(four.x), rounded_to_tf32(four.y), rounded_to_tf32(four.z),
                       rounded_to_tf32(four.w));
}

/// A value as the sum of two that TF32 holds, but for the last 2 of its 24 bits. The residual of an infinity or a NaN
/// is 0.
struct SplitFloat {
    float hi, lo;
    __device__ __forceinline__ explicit SplitFloat(float value)
        : hi(rounded_to_tf32(value)), lo(isfinite(value) ? rounded_to_tf32(value - hi) : 0.0f) {}
};

}  // namespace convscope::hopper
