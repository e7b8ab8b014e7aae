// Vectors of one to four elements, and the sizes of grids and blocks.
#pragma once

#include "language.h"

#define CONVSCOPE_VECTOR(T, name)                                  \
    struct name##1 {                                               \
        T x;                                                       \
    };                                                             \
    struct __align__(2 * sizeof(T)) name##2 {                      \
        T x, y;                                                    \
    };                                                             \
    struct name##3 {                                               \
        T x, y, z;                                                 \
    };                                                             \
    struct __align__(sizeof(T) > 4 ? 16 : 4 * sizeof(T)) name##4 { \
        T x, y, z, w;                                              \
    };                                                             \
    CONVSCOPE_BOTH name##1 make_##name##1(T x) {                   \
        return {x};                                                \
    }                                                              \
    CONVSCOPE_BOTH name##2 make_##name##2(T x, T y) {              \
        return {x, y};                                             \
    }                                                              \
    CONVSCOPE_BOTH name##3 make_##name##3(T x, T y, T z) {         \
        return {x, y, z};                                          \
    }                                                              \
    CONVSCOPE_BOTH name##4 make_##name##4(T x, T y, T z, T w) {    \
        return {x, y, z, w};                                       \
    }
CONVSCOPE_VECTOR(signed char, char)
CONVSCOPE_VECTOR(unsigned char, uchar)
CONVSCOPE_VECTOR(short, short)
CONVSCOPE_VECTOR(unsigned short, ushort)
CONVSCOPE_VECTOR(int, int)
CONVSCOPE_VECTOR(unsigned, uint)
CONVSCOPE_VECTOR(long, long)
CONVSCOPE_VECTOR(unsigned long, ulong)
CONVSCOPE_VECTOR(long long, longlong)
CONVSCOPE_VECTOR(unsigned long long, ulonglong)
CONVSCOPE_VECTOR(float, float)
CONVSCOPE_VECTOR(double, double)

struct dim3 {
    unsigned x, y, z;
    CONVSCOPE_BOTH_MEMBER constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
    CONVSCOPE_BOTH_MEMBER constexpr dim3(uint3 sizes) : x(sizes.x), y(sizes.y), z(sizes.z) {}
    CONVSCOPE_BOTH_MEMBER constexpr operator uint3() const { return {x, y, z}; }
};
