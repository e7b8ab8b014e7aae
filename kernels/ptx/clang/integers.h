// Whole numbers: least and greatest, for the host as well, as nvcc has them; bits, products, casts of bits.
#pragma once

#include "language.h"

#define CONVSCOPE_LEAST(T, A, B)     \
    CONVSCOPE_BOTH T min(A a, B b) { \
        const T x = a, y = b;        \
        return x < y ? x : y;        \
    }                                \
    CONVSCOPE_BOTH T max(A a, B b) { \
        const T x = a, y = b;        \
        return x > y ? x : y;        \
    }
#define CONVSCOPE_LEAST_OF(T)                           \
    CONVSCOPE_LEAST(T, T, T)                            \
    CONVSCOPE_LEAST(unsigned T, unsigned T, unsigned T) \
    CONVSCOPE_LEAST(unsigned T, T, unsigned T)          \
    CONVSCOPE_LEAST(unsigned T, unsigned T, T)
CONVSCOPE_LEAST_OF(int)
CONVSCOPE_LEAST_OF(long)
CONVSCOPE_LEAST_OF(long long)

CONVSCOPE_DEVICE int abs(int a) {
    return a < 0 ? -a : a;
}
CONVSCOPE_DEVICE long abs(long a) {
    return a < 0 ? -a : a;
}
CONVSCOPE_DEVICE long long abs(long long a) {
    return a < 0 ? -a : a;
}
CONVSCOPE_DEVICE long labs(long a) {
    return abs(a);
}
CONVSCOPE_DEVICE long long llabs(long long a) {
    return abs(a);
}

// Bits.
CONVSCOPE_DEVICE int __popc(unsigned a) {
    return __builtin_popcount(a);
}
CONVSCOPE_DEVICE int __popcll(unsigned long long a) {
    return __builtin_popcountll(a);
}
CONVSCOPE_DEVICE int __clz(int a) {
    return a == 0 ? 32 : __builtin_clz(static_cast<unsigned>(a));
}
CONVSCOPE_DEVICE int __clzll(long long a) {
    return a == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(a));
}
CONVSCOPE_DEVICE int __ffs(int a) {
    return __builtin_ffs(a);
}
CONVSCOPE_DEVICE int __ffsll(long long a) {
    return __builtin_ffsll(a);
}
CONVSCOPE_DEVICE unsigned __brev(unsigned a) {
    return __builtin_bitreverse32(a);
}
CONVSCOPE_DEVICE unsigned long long __brevll(unsigned long long a) {
    return __builtin_bitreverse64(a);
}
CONVSCOPE_DEVICE unsigned __byte_perm(unsigned a, unsigned b, unsigned selector) {
    unsigned result;
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(selector));
    return result;
}
CONVSCOPE_DEVICE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned by) {
    return static_cast<unsigned>(((static_cast<unsigned long long>(high) << 32 | low) << (by & 31)) >> 32);
}
CONVSCOPE_DEVICE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned by) {
    return static_cast<unsigned>((static_cast<unsigned long long>(high) << 32 | low) >> (by & 31));
}

// Products.
CONVSCOPE_DEVICE int __mul24(int a, int b) {
    return (a << 8 >> 8) * (b << 8 >> 8);
}
CONVSCOPE_DEVICE unsigned __umul24(unsigned a, unsigned b) {
    return (a & 0xffffff) * (b & 0xffffff);
}
CONVSCOPE_DEVICE int __mulhi(int a, int b) {
    return static_cast<int>(static_cast<long long>(a) * b >> 32);
}
CONVSCOPE_DEVICE unsigned __umulhi(unsigned a, unsigned b) {
    return static_cast<unsigned>(static_cast<unsigned long long>(a) * b >> 32);
}
CONVSCOPE_DEVICE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    unsigned long long result;
    asm("mul.hi.u64 %0, %1, %2;" : "=l"(result) : "l"(a), "l"(b));
    return result;
}
CONVSCOPE_DEVICE int __dp4a(int a, int b, int sum) {
    int result;
    asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(sum));
    return result;
}

// The same bits as another type.
#define CONVSCOPE_SAME_BITS(name, T, from) \
    CONVSCOPE_DEVICE T name(from a) {      \
        return __builtin_bit_cast(T, a);   \
    }
CONVSCOPE_SAME_BITS(__float_as_int, int, float)
CONVSCOPE_SAME_BITS(__float_as_uint, unsigned, float)
CONVSCOPE_SAME_BITS(__int_as_float, float, int)
CONVSCOPE_SAME_BITS(__uint_as_float, float, unsigned)
CONVSCOPE_SAME_BITS(__double_as_longlong, long long, double)
CONVSCOPE_SAME_BITS(__longlong_as_double, double, long long)

// A read through the cache for what no kernel writes, and reads and writes that say what to keep.
template <class T>
CONVSCOPE_DEVICE T __ldg(const T* from) {
    return *from;
}
template <class T>
CONVSCOPE_DEVICE T __ldcg(const T* from) {
    return *from;
}
template <class T>
CONVSCOPE_DEVICE T __ldcs(const T* from) {
    return *from;
}
template <class T>
CONVSCOPE_DEVICE void __stcs(T* to, T value) {
    *to = value;
}
