// Rounds FP32 to TF32. The tensor cores do not: they truncate their inputs.
#pragma once

namespace convscope::hopper {

/// Rounds to the nearest value with 10 bits of mantissa, ties away from zero. A NaN stays a NaN.
__device__ __forceinline__ float rounded_to_tf32(float value) {
    unsigned bits;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(value));
    return __uint_as_float(bits);
}

__device__ __forceinline__ float4 rounded_to_tf32(const float4& four) {
    return make_float4(rounded_to_tf32(four.x), rounded_to_tf32(four.y), rounded_to_tf32(four.z),
                       rounded_to_tf32(four.w));
}

/// Splits a value into two TF32 values, hi + lo, which keep all but the last 2 of its 24 bits. The residual of an
/// infinity or a NaN is 0.
struct SplitFloat {
    float hi, lo;
    __device__ __forceinline__ explicit SplitFloat(float value)
        : hi(rounded_to_tf32(value)), lo(isfinite(value) ? rounded_to_tf32(value - hi) : 0.0f) {}
};

}  // namespace convscope::hopper
