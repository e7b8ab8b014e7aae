// Atomic operations, each of the whole GPU, of a block (_block) and of the system (_system).
#pragma once

#include "language.h"

#define CONVSCOPE_ATOMIC(name, operation, T, letter)                \
    CONVSCOPE_ATOMIC_OF(name, "", operation, T, letter)             \
    CONVSCOPE_ATOMIC_OF(name##_block, ".cta", operation, T, letter) \
    CONVSCOPE_ATOMIC_OF(name##_system, ".sys", operation, T, letter)
#define CONVSCOPE_ATOMIC_OF(name, scope, operation, T, letter)   \
    CONVSCOPE_DEVICE T name(T* to, T value) {                    \
        T old;                                                   \
        asm volatile("atom" scope "." operation " %0, [%1], %2;" \
                     : "=" letter(old)                           \
                     : "l"(to), letter(value)                    \
                     : "memory");                                \
        return old;                                              \
    }
CONVSCOPE_ATOMIC(atomicAdd, "add.s32", int, "r")
CONVSCOPE_ATOMIC(atomicAdd, "add.u32", unsigned, "r")
CONVSCOPE_ATOMIC(atomicAdd, "add.u64", unsigned long long, "l")
CONVSCOPE_ATOMIC(atomicAdd, "add.f32", float, "f")
CONVSCOPE_ATOMIC(atomicAdd, "add.f64", double, "d")
CONVSCOPE_ATOMIC(atomicMin, "min.s32", int, "r")
CONVSCOPE_ATOMIC(atomicMin, "min.u32", unsigned, "r")
CONVSCOPE_ATOMIC(atomicMin, "min.s64", long long, "l")
CONVSCOPE_ATOMIC(atomicMin, "min.u64", unsigned long long, "l")
CONVSCOPE_ATOMIC(atomicMax, "max.s32", int, "r")
CONVSCOPE_ATOMIC(atomicMax, "max.u32", unsigned, "r")
CONVSCOPE_ATOMIC(atomicMax, "max.s64", long long, "l")
CONVSCOPE_ATOMIC(atomicMax, "max.u64", unsigned long long, "l")
CONVSCOPE_ATOMIC(atomicAnd, "and.b32", int, "r")
CONVSCOPE_ATOMIC(atomicAnd, "and.b32", unsigned, "r")
CONVSCOPE_ATOMIC(atomicAnd, "and.b64", unsigned long long, "l")
CONVSCOPE_ATOMIC(atomicOr, "or.b32", int, "r")
CONVSCOPE_ATOMIC(atomicOr, "or.b32", unsigned, "r")
CONVSCOPE_ATOMIC(atomicOr, "or.b64", unsigned long long, "l")
CONVSCOPE_ATOMIC(atomicXor, "xor.b32", int, "r")
CONVSCOPE_ATOMIC(atomicXor, "xor.b32", unsigned, "r")
CONVSCOPE_ATOMIC(atomicXor, "xor.b64", unsigned long long, "l")
CONVSCOPE_ATOMIC(atomicExch, "exch.b32", int, "r")
CONVSCOPE_ATOMIC(atomicExch, "exch.b32", unsigned, "r")
CONVSCOPE_ATOMIC(atomicExch, "exch.b32", float, "f")
CONVSCOPE_ATOMIC(atomicExch, "exch.b64", unsigned long long, "l")
CONVSCOPE_ATOMIC(atomicInc, "inc.u32", unsigned, "r")
CONVSCOPE_ATOMIC(atomicDec, "dec.u32", unsigned, "r")
CONVSCOPE_DEVICE int atomicSub(int* to, int value) {
    return atomicAdd(to, -value);
}
CONVSCOPE_DEVICE unsigned atomicSub(unsigned* to, unsigned value) {
    return atomicAdd(to, -value);
}
#define CONVSCOPE_CAS(T, width, letter)                         \
    CONVSCOPE_CAS_OF(atomicCAS, "", T, width, letter)           \
    CONVSCOPE_CAS_OF(atomicCAS_block, ".cta", T, width, letter) \
    CONVSCOPE_CAS_OF(atomicCAS_system, ".sys", T, width, letter)
#define CONVSCOPE_CAS_OF(name, scope, T, width, letter)              \
    CONVSCOPE_DEVICE T name(T* to, T expected, T value) {            \
        T old;                                                       \
        asm volatile("atom" scope ".cas." width " %0, [%1], %2, %3;" \
                     : "=" letter(old)                               \
                     : "l"(to), letter(expected), letter(value)      \
                     : "memory");                                    \
        return old;                                                  \
    }
CONVSCOPE_CAS(int, "b32", "r")
CONVSCOPE_CAS(unsigned, "b32", "r")
CONVSCOPE_CAS(unsigned long long, "b64", "l")
CONVSCOPE_CAS(unsigned short, "b16", "h")
