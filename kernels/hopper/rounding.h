// Rounding to TF32, which the tensor cores do not do themselves: they cut.
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

/// A value as the sum of two that TF32 holds, but for the last 2 of its 24 bits. Of an infinity or a NaN the rest is 0.
struct SplitFloat {
    float coarse, rest;
    __device__ __forceinline__ explicit SplitFloat(float value)
        : coarse(rounded_to_tf32(value)), rest(isfinite(value) ? rounded_to_tf32(value - coarse) : 0.0f) {}
};

/// What is missing of a value when the tensor cores cut it to TF32, so that it need not be written back itself; half a
/// unit larger than that, so that cutting it in its turn rounds it. By integers: conversions go through a unit that
/// takes 16 in a cycle. Of an infinity or a NaN it is too small to count.
__device__ __forceinline__ float rest_beyond_tf32(float value) {
    constexpr unsigned kept = 0xffffe000, half_unit = 0x1000;
    const float rest = value - __uint_as_float(__float_as_uint(value) & kept);
    return __uint_as_float(__float_as_uint(rest) + half_unit);
}
__device__ __forceinline__ float4 rest_beyond_tf32(const float4& four) {
    return make_float4(rest_beyond_tf32(four.x), rest_beyond_tf32(four.y), rest_beyond_tf32(four.z),
                       rest_beyond_tf32(four.w));
}

}  // namespace convscope::hopper
