// Numbers of 16 bits, alone and in pairs. Kernels compute with them by one instruction each; the host converts them.
#pragma once

#include "library.h"
#include "vectors.h"
#include "warps.h"

struct __half_raw {
    unsigned short x;
};
struct __half2_raw {
    unsigned short x, y;
};

#ifndef __CUDA_ARCH__
/// To nearest even. What is too small to be normal is rounded by an addition to a number with the last bit in its
/// place.
CONVSCOPE_HOST unsigned short convscope_half_bits(float value) {
    const auto bits = __builtin_bit_cast(unsigned, value);
    const unsigned sign = bits >> 16 & 0x8000, size = bits & 0x7fffffff;
    if (size > 0x7f800000) return 0x7fff;
    if (size >= 0x477ff000) return static_cast<unsigned short>(sign | 0x7c00);
    if (size < 0x38800000) {
        const float rounded = __builtin_bit_cast(float, size) + 0.5f;
        return static_cast<unsigned short>(sign | (__builtin_bit_cast(unsigned, rounded) - 0x3f000000));
    }
    return static_cast<unsigned short>(sign | ((size - 0x38000000 + 0xfff + (size >> 13 & 1)) >> 13));
}
CONVSCOPE_HOST float convscope_float_of_half(unsigned short bits) {
    const unsigned size = bits & 0x7fff, sign = static_cast<unsigned>(bits & 0x8000) << 16;
    unsigned result = (size << 13) + 0x38000000;
    if (size >= 0x7c00)
        result = size << 13 | 0x7f800000;
    else if (size < 0x400)
        result = __builtin_bit_cast(unsigned, static_cast<float>(size) * 0x1p-24f);
    return __builtin_bit_cast(float, sign | result);
}
#else
CONVSCOPE_DEVICE unsigned short convscope_half_bits(float value) {
    unsigned short bits;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
    return bits;
}
CONVSCOPE_DEVICE float convscope_float_of_half(unsigned short bits) {
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
    return value;
}
#endif

struct __half {
    unsigned short __x;
    __half() = default;
    CONVSCOPE_BOTH_MEMBER __half(__half_raw raw) : __x(raw.x) {}
    CONVSCOPE_BOTH_MEMBER __half(float value) : __x(convscope_half_bits(value)) {}
    CONVSCOPE_BOTH_MEMBER __half(double value) : __half(static_cast<float>(value)) {}
    CONVSCOPE_BOTH_MEMBER __half(int value) : __half(static_cast<float>(value)) {}
    CONVSCOPE_BOTH_MEMBER __half(unsigned value) : __half(static_cast<float>(value)) {}
    CONVSCOPE_BOTH_MEMBER __half(long long value) : __half(static_cast<float>(value)) {}
    CONVSCOPE_BOTH_MEMBER operator float() const { return convscope_float_of_half(__x); }
    CONVSCOPE_BOTH_MEMBER explicit operator bool() const { return (__x & 0x7fff) != 0; }
};
typedef __half half;

struct __align__(4) __half2 {
    __half x, y;
    __half2() = default;
    CONVSCOPE_BOTH_MEMBER __half2(__half x, __half y) : x(x), y(y) {}
};
typedef __half2 half2;

// Conversions.
CONVSCOPE_BOTH __half __ushort_as_half(unsigned short bits) {
    return __half(__half_raw{bits});
}
CONVSCOPE_BOTH unsigned short __half_as_ushort(__half a) {
    return a.__x;
}
CONVSCOPE_BOTH short __half_as_short(__half a) {
    return static_cast<short>(a.__x);
}
CONVSCOPE_BOTH __half __float2half(float a) {
    return __half(a);
}
CONVSCOPE_BOTH __half __float2half_rn(float a) {
    return __half(a);
}
CONVSCOPE_BOTH __half __double2half(double a) {
    return __half(a);
}
CONVSCOPE_BOTH __half __int2half_rn(int a) {
    return __half(a);
}
CONVSCOPE_BOTH __half __uint2half_rn(unsigned a) {
    return __half(a);
}
CONVSCOPE_BOTH float __half2float(__half a) {
    return a;
}
CONVSCOPE_DEVICE int __half2int_rn(__half a) {
    return __float2int_rn(a);
}
CONVSCOPE_DEVICE int __half2int_rz(__half a) {
    return __float2int_rz(a);
}
CONVSCOPE_BOTH __half2 make_half2(__half x, __half y) {
    return {x, y};
}
CONVSCOPE_BOTH __half2 __halves2half2(__half x, __half y) {
    return {x, y};
}
CONVSCOPE_BOTH __half2 __half2half2(__half a) {
    return {a, a};
}
CONVSCOPE_BOTH __half2 __float2half2_rn(float a) {
    return {a, a};
}
CONVSCOPE_BOTH __half2 __floats2half2_rn(float x, float y) {
    return {x, y};
}
CONVSCOPE_BOTH __half2 __float22half2_rn(float2 a) {
    return {a.x, a.y};
}
CONVSCOPE_BOTH float2 __half22float2(__half2 a) {
    return {a.x, a.y};
}
CONVSCOPE_BOTH float __low2float(__half2 a) {
    return a.x;
}
CONVSCOPE_BOTH float __high2float(__half2 a) {
    return a.y;
}
CONVSCOPE_BOTH __half __low2half(__half2 a) {
    return a.x;
}
CONVSCOPE_BOTH __half __high2half(__half2 a) {
    return a.y;
}

// Arithmetic. The host's, by float, gives the same: a product of two, and a sum, are rounded once more than exact ones.
#define CONVSCOPE_HALF_2(name, pair, instruction, of_host)                             \
    CONVSCOPE_DEVICE __half convscope_##name(__half a, __half b) {                     \
        __half_raw result;                                                             \
        asm(instruction ".f16 %0, %1, %2;" : "=h"(result.x) : "h"(a.__x), "h"(b.__x)); \
        return result;                                                                 \
    }                                                                                  \
    CONVSCOPE_HOST __half convscope_##name##_on_host(float a, float b) {               \
        return of_host;                                                                \
    }                                                                                  \
    CONVSCOPE_BOTH __half name(__half a, __half b) {                                   \
        return CONVSCOPE_HERE(convscope_##name)(a, b);                                 \
    }                                                                                  \
    CONVSCOPE_BOTH __half2 pair(__half2 a, __half2 b) {                                \
        return {name(a.x, b.x), name(a.y, b.y)};                                       \
    }
#ifdef __CUDA_ARCH__
#define CONVSCOPE_HERE(name) name
#else
#define CONVSCOPE_HERE(name) name##_on_host
#endif
CONVSCOPE_HALF_2(__hadd, __hadd2, "add", a + b)
CONVSCOPE_HALF_2(__hsub, __hsub2, "sub", a - b)
CONVSCOPE_HALF_2(__hmul, __hmul2, "mul", a* b)
CONVSCOPE_HALF_2(__hmin, __hmin2, "min", __builtin_fminf(a, b))
CONVSCOPE_HALF_2(__hmax, __hmax2, "max", __builtin_fmaxf(a, b))
CONVSCOPE_BOTH __half __hdiv(__half a, __half b) {
    return static_cast<float>(a) / static_cast<float>(b);
}
CONVSCOPE_BOTH __half2 __h2div(__half2 a, __half2 b) {
    return {__hdiv(a.x, b.x), __hdiv(a.y, b.y)};
}
CONVSCOPE_BOTH __half __hneg(__half a) {
    return __half_raw{static_cast<unsigned short>(a.__x ^ 0x8000)};
}
CONVSCOPE_BOTH __half __habs(__half a) {
    return __half_raw{static_cast<unsigned short>(a.__x & 0x7fff)};
}
CONVSCOPE_DEVICE __half __hfma(__half a, __half b, __half c) {
    __half_raw result;
    asm("fma.rn.f16 %0, %1, %2, %3;" : "=h"(result.x) : "h"(a.__x), "h"(b.__x), "h"(c.__x));
    return result;
}
CONVSCOPE_DEVICE __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
    return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}
#define CONVSCOPE_HALF_OPERATOR(sign, name, pair)                              \
    CONVSCOPE_BOTH __half operator sign(const __half& a, const __half& b) {    \
        return name(a, b);                                                     \
    }                                                                          \
    CONVSCOPE_BOTH __half& operator sign##=(__half& a, const __half& b) {      \
        return a = name(a, b);                                                 \
    }                                                                          \
    CONVSCOPE_BOTH __half2 operator sign(const __half2& a, const __half2& b) { \
        return pair(a, b);                                                     \
    }                                                                          \
    CONVSCOPE_BOTH __half2& operator sign##=(__half2& a, const __half2& b) {   \
        return a = pair(a, b);                                                 \
    }
CONVSCOPE_HALF_OPERATOR(+, __hadd, __hadd2)
CONVSCOPE_HALF_OPERATOR(-, __hsub, __hsub2)
CONVSCOPE_HALF_OPERATOR(*, __hmul, __hmul2)
CONVSCOPE_HALF_OPERATOR(/, __hdiv, __h2div)
CONVSCOPE_BOTH __half operator-(const __half& a) {
    return __hneg(a);
}
#define CONVSCOPE_HALF_COMPARISON(name, sign)                             \
    CONVSCOPE_BOTH bool name(__half a, __half b) {                        \
        return static_cast<float>(a) sign static_cast<float>(b);          \
    }                                                                     \
    CONVSCOPE_BOTH bool operator sign(const __half& a, const __half& b) { \
        return name(a, b);                                                \
    }
CONVSCOPE_HALF_COMPARISON(__heq, ==)
CONVSCOPE_HALF_COMPARISON(__hne, !=)
CONVSCOPE_HALF_COMPARISON(__hlt, <)
CONVSCOPE_HALF_COMPARISON(__hle, <=)
CONVSCOPE_HALF_COMPARISON(__hgt, >)
CONVSCOPE_HALF_COMPARISON(__hge, >=)
CONVSCOPE_BOTH bool __hisnan(__half a) {
    return (a.__x & 0x7fff) > 0x7c00;
}
CONVSCOPE_BOTH int __hisinf(__half a) {
    return a.__x == 0x7c00 ? 1 : a.__x == 0xfc00 ? -1 : 0;
}

// Functions, by float.
#define CONVSCOPE_HALF_FUNCTION(name, of_float) \
    CONVSCOPE_DEVICE __half name(__half a) {    \
        return of_float(static_cast<float>(a)); \
    }
CONVSCOPE_HALF_FUNCTION(hsqrt, sqrtf)
CONVSCOPE_HALF_FUNCTION(hrsqrt, rsqrtf)
CONVSCOPE_HALF_FUNCTION(hexp, expf)
CONVSCOPE_HALF_FUNCTION(hexp2, exp2f)
CONVSCOPE_HALF_FUNCTION(hlog, logf)
CONVSCOPE_HALF_FUNCTION(hlog2, log2f)
CONVSCOPE_HALF_FUNCTION(hsin, sinf)
CONVSCOPE_HALF_FUNCTION(hcos, cosf)
CONVSCOPE_HALF_FUNCTION(htanh, tanhf)
CONVSCOPE_HALF_FUNCTION(hfloor, floorf)
CONVSCOPE_HALF_FUNCTION(hceil, ceilf)
CONVSCOPE_HALF_FUNCTION(hrcp, 1 /)

// Between threads.
#define CONVSCOPE_HALF_SHUFFLE(name)                                                                                 \
    CONVSCOPE_DEVICE __half name(unsigned mask, __half value, unsigned lane, int width = 32) {                       \
        return __half_raw{static_cast<unsigned short>(name(mask, static_cast<unsigned>(value.__x), lane, width))};   \
    }                                                                                                                \
    CONVSCOPE_DEVICE __half2 name(unsigned mask, __half2 value, unsigned lane, int width = 32) {                     \
        const unsigned bits = name(mask, value.x.__x | static_cast<unsigned>(value.y.__x) << 16, lane, width);       \
        return {__half_raw{static_cast<unsigned short>(bits)}, __half_raw{static_cast<unsigned short>(bits >> 16)}}; \
    }
CONVSCOPE_HALF_SHUFFLE(__shfl_sync)
CONVSCOPE_HALF_SHUFFLE(__shfl_up_sync)
CONVSCOPE_HALF_SHUFFLE(__shfl_down_sync)
CONVSCOPE_HALF_SHUFFLE(__shfl_xor_sync)
CONVSCOPE_DEVICE __half atomicAdd(__half* to, __half value) {
    __half_raw old;
    asm volatile("atom.add.noftz.f16 %0, [%1], %2;" : "=h"(old.x) : "l"(to), "h"(value.__x) : "memory");
    return old;
}
