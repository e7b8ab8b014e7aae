// What a kernel may use where clang compiles it and there is no CUDA toolkit: the language's words, the built-in
// variables, vectors, barriers, shuffles, votes, atomics, and the mathematics of float. Included before the first line.
#pragma once

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(n) __attribute__((aligned(n)))
#define CONVSCOPE_DEVICE static __inline__ __attribute__((device, always_inline, nodebug))

typedef __SIZE_TYPE__ size_t;
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned uint32_t;
typedef __INT64_TYPE__ int64_t;
typedef __UINT64_TYPE__ uint64_t;
extern "C" __device__ int printf(const char*, ...);

// Built-in variables.
#define CONVSCOPE_MEMBER(name, builtin)                   \
    __declspec(property(get = get_##name)) unsigned name; \
    CONVSCOPE_DEVICE unsigned get_##name() {              \
        return builtin();                                 \
    }
#define CONVSCOPE_VARIABLE(type, sreg)                       \
    struct type {                                            \
        CONVSCOPE_MEMBER(x, __nvvm_read_ptx_sreg_##sreg##_x) \
        CONVSCOPE_MEMBER(y, __nvvm_read_ptx_sreg_##sreg##_y) \
        CONVSCOPE_MEMBER(z, __nvvm_read_ptx_sreg_##sreg##_z) \
    };
CONVSCOPE_VARIABLE(convscope_thread, tid)
CONVSCOPE_VARIABLE(convscope_block, ctaid)
CONVSCOPE_VARIABLE(convscope_threads, ntid)
CONVSCOPE_VARIABLE(convscope_blocks, nctaid)
extern const __device__ convscope_thread threadIdx;
extern const __device__ convscope_block blockIdx;
extern const __device__ convscope_threads blockDim;
extern const __device__ convscope_blocks gridDim;
#define warpSize 32

// Vectors.
#define CONVSCOPE_VECTOR(T, name)                                  \
    struct __align__(2 * sizeof(T)) name##2 {                      \
        T x, y;                                                    \
    };                                                             \
    struct name##3 {                                               \
        T x, y, z;                                                 \
    };                                                             \
    struct __align__(sizeof(T) > 4 ? 16 : 4 * sizeof(T)) name##4 { \
        T x, y, z, w;                                              \
    };                                                             \
    CONVSCOPE_DEVICE name##2 make_##name##2(T x, T y) {            \
        return {x, y};                                             \
    }                                                              \
    CONVSCOPE_DEVICE name##3 make_##name##3(T x, T y, T z) {       \
        return {x, y, z};                                          \
    }                                                              \
    CONVSCOPE_DEVICE name##4 make_##name##4(T x, T y, T z, T w) {  \
        return {x, y, z, w};                                       \
    }
CONVSCOPE_VECTOR(float, float)
CONVSCOPE_VECTOR(double, double)
CONVSCOPE_VECTOR(int, int)
CONVSCOPE_VECTOR(unsigned, uint)
CONVSCOPE_VECTOR(unsigned char, uchar)

// Barriers and fences.
CONVSCOPE_DEVICE void __syncwarp(unsigned mask = 0xffffffff) {
    asm volatile("bar.warp.sync %0;" ::"r"(mask) : "memory");
}
CONVSCOPE_DEVICE void __threadfence() {
    asm volatile("membar.gl;" ::: "memory");
}
CONVSCOPE_DEVICE void __threadfence_block() {
    asm volatile("membar.cta;" ::: "memory");
}

// Addresses, for assembly.
CONVSCOPE_DEVICE size_t __cvta_generic_to_shared(const void* at) {
    size_t result;
    asm("cvta.to.shared.u64 %0, %1;" : "=l"(result) : "l"(at));
    return result;
}

// Warps.
#define CONVSCOPE_SHUFFLE(name, mode, pad)                                                              \
    CONVSCOPE_DEVICE unsigned name(unsigned mask, unsigned value, unsigned lane, int width = 32) {      \
        unsigned result;                                                                                \
        asm volatile("shfl.sync." mode ".b32 %0, %1, %2, %3, %4;"                                       \
                     : "=r"(result)                                                                     \
                     : "r"(value), "r"(lane), "r"(((32 - width) << 8) | (pad)), "r"(mask));             \
        return result;                                                                                  \
    }                                                                                                   \
    CONVSCOPE_DEVICE int name(unsigned mask, int value, unsigned lane, int width = 32) {                \
        return static_cast<int>(name(mask, static_cast<unsigned>(value), lane, width));                 \
    }                                                                                                   \
    CONVSCOPE_DEVICE float name(unsigned mask, float value, unsigned lane, int width = 32) {            \
        return __builtin_bit_cast(float, name(mask, __builtin_bit_cast(unsigned, value), lane, width)); \
    }
CONVSCOPE_SHUFFLE(__shfl_sync, "idx", 31)
CONVSCOPE_SHUFFLE(__shfl_up_sync, "up", 0)
CONVSCOPE_SHUFFLE(__shfl_down_sync, "down", 31)
CONVSCOPE_SHUFFLE(__shfl_xor_sync, "bfly", 31)
CONVSCOPE_DEVICE unsigned __ballot_sync(unsigned mask, int predicate) {
    unsigned result;
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; vote.sync.ballot.b32 %0, p, %2; }"
                 : "=r"(result)
                 : "r"(predicate), "r"(mask));
    return result;
}
CONVSCOPE_DEVICE int __any_sync(unsigned mask, int predicate) {
    return __ballot_sync(mask, predicate) != 0;
}
CONVSCOPE_DEVICE int __all_sync(unsigned mask, int predicate) {
    return __ballot_sync(mask, !predicate) == 0;
}
CONVSCOPE_DEVICE unsigned __activemask() {
    unsigned result;
    asm volatile("activemask.b32 %0;" : "=r"(result));
    return result;
}

// Atomics.
#define CONVSCOPE_ATOMIC(name, operation, T, letter)                                                            \
    CONVSCOPE_DEVICE T name(T* to, T value) {                                                                   \
        T old;                                                                                                  \
        asm volatile("atom." operation " %0, [%1], %2;" : "=" letter(old) : "l"(to), letter(value) : "memory"); \
        return old;                                                                                             \
    }
CONVSCOPE_ATOMIC(atomicAdd, "add.s32", int, "r")
CONVSCOPE_ATOMIC(atomicAdd, "add.u32", unsigned, "r")
CONVSCOPE_ATOMIC(atomicAdd, "add.u64", unsigned long long, "l")
CONVSCOPE_ATOMIC(atomicAdd, "add.f32", float, "f")
CONVSCOPE_ATOMIC(atomicAdd, "add.f64", double, "d")
CONVSCOPE_ATOMIC(atomicMin, "min.s32", int, "r")
CONVSCOPE_ATOMIC(atomicMin, "min.u32", unsigned, "r")
CONVSCOPE_ATOMIC(atomicMax, "max.s32", int, "r")
CONVSCOPE_ATOMIC(atomicMax, "max.u32", unsigned, "r")
CONVSCOPE_ATOMIC(atomicAnd, "and.b32", int, "r")
CONVSCOPE_ATOMIC(atomicAnd, "and.b32", unsigned, "r")
CONVSCOPE_ATOMIC(atomicOr, "or.b32", int, "r")
CONVSCOPE_ATOMIC(atomicOr, "or.b32", unsigned, "r")
CONVSCOPE_ATOMIC(atomicXor, "xor.b32", int, "r")
CONVSCOPE_ATOMIC(atomicXor, "xor.b32", unsigned, "r")
CONVSCOPE_ATOMIC(atomicExch, "exch.b32", int, "r")
CONVSCOPE_ATOMIC(atomicExch, "exch.b32", unsigned, "r")
CONVSCOPE_ATOMIC(atomicExch, "exch.b32", float, "f")
CONVSCOPE_ATOMIC(atomicInc, "inc.u32", unsigned, "r")
CONVSCOPE_ATOMIC(atomicDec, "dec.u32", unsigned, "r")
CONVSCOPE_DEVICE int atomicSub(int* to, int value) {
    return atomicAdd(to, -value);
}
CONVSCOPE_DEVICE unsigned atomicSub(unsigned* to, unsigned value) {
    return atomicAdd(to, -value);
}
#define CONVSCOPE_CAS(T, width, letter)                         \
    CONVSCOPE_DEVICE T atomicCAS(T* to, T expected, T value) {  \
        T old;                                                  \
        asm volatile("atom.cas." width " %0, [%1], %2, %3;"     \
                     : "=" letter(old)                          \
                     : "l"(to), letter(expected), letter(value) \
                     : "memory");                               \
        return old;                                             \
    }
CONVSCOPE_CAS(int, "b32", "r")
CONVSCOPE_CAS(unsigned, "b32", "r")
CONVSCOPE_CAS(unsigned long long, "b64", "l")

// Whole numbers.
CONVSCOPE_DEVICE int min(int a, int b) {
    return a < b ? a : b;
}
CONVSCOPE_DEVICE int max(int a, int b) {
    return a > b ? a : b;
}
CONVSCOPE_DEVICE unsigned min(unsigned a, unsigned b) {
    return a < b ? a : b;
}
CONVSCOPE_DEVICE unsigned max(unsigned a, unsigned b) {
    return a > b ? a : b;
}
CONVSCOPE_DEVICE int abs(int a) {
    return a < 0 ? -a : a;
}
CONVSCOPE_DEVICE int __popc(unsigned a) {
    return __builtin_popcount(a);
}
CONVSCOPE_DEVICE int __clz(int a) {
    return a == 0 ? 32 : __builtin_clz(static_cast<unsigned>(a));
}
CONVSCOPE_DEVICE int __ffs(int a) {
    return __builtin_ffs(a);
}
CONVSCOPE_DEVICE unsigned __brev(unsigned a) {
    return __builtin_bitreverse32(a);
}

// Real numbers; the approximations are those of the special function units.
CONVSCOPE_DEVICE float fmaf(float a, float b, float c) {
    return __builtin_fmaf(a, b, c);
}
CONVSCOPE_DEVICE float fabsf(float a) {
    return __builtin_fabsf(a);
}
CONVSCOPE_DEVICE float fminf(float a, float b) {
    return __builtin_fminf(a, b);
}
CONVSCOPE_DEVICE float fmaxf(float a, float b) {
    return __builtin_fmaxf(a, b);
}
CONVSCOPE_DEVICE float min(float a, float b) {
    return __builtin_fminf(a, b);
}
CONVSCOPE_DEVICE float max(float a, float b) {
    return __builtin_fmaxf(a, b);
}
CONVSCOPE_DEVICE float floorf(float a) {
    return __builtin_floorf(a);
}
CONVSCOPE_DEVICE float ceilf(float a) {
    return __builtin_ceilf(a);
}
CONVSCOPE_DEVICE float truncf(float a) {
    return __builtin_truncf(a);
}
CONVSCOPE_DEVICE float sqrtf(float a) {
    return __nvvm_sqrt_rn_f(a);
}
CONVSCOPE_DEVICE float rsqrtf(float a) {
    return __nvvm_rsqrt_approx_f(a);
}
CONVSCOPE_DEVICE float exp2f(float a) {
    return __nvvm_ex2_approx_f(a);
}
CONVSCOPE_DEVICE float log2f(float a) {
    return __nvvm_lg2_approx_f(a);
}
CONVSCOPE_DEVICE float expf(float a) {
    return exp2f(a * 1.44269504f);
}
CONVSCOPE_DEVICE float logf(float a) {
    return log2f(a) * 0.693147181f;
}
CONVSCOPE_DEVICE float sinf(float a) {
    return __nvvm_sin_approx_f(a);
}
CONVSCOPE_DEVICE float cosf(float a) {
    return __nvvm_cos_approx_f(a);
}
CONVSCOPE_DEVICE float tanhf(float a) {
    float e = expf(2 * fabsf(a));
    return __builtin_copysignf(1 - 2 / (e + 1), a);
}
CONVSCOPE_DEVICE float powf(float a, float b) {
    return exp2f(b * log2f(a));
}
CONVSCOPE_DEVICE float __expf(float a) {
    return expf(a);
}
CONVSCOPE_DEVICE float __fdividef(float a, float b) {
    return a / b;
}
template <class T>
CONVSCOPE_DEVICE T __ldg(const T* from) {
    return *from;
}
