// Operations of several threads: barriers, fences, shuffles, votes; and the clock.
#pragma once

#include "language.h"

// Barriers. Clang's own are none for its optimiser, which moves loads of shared variables across them.
CONVSCOPE_DEVICE void convscope_barrier() {
    asm volatile("bar.sync 0;" ::: "memory");
}
#define __syncthreads() convscope_barrier()
CONVSCOPE_DEVICE int __syncthreads_count(int predicate) {
    int count;
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; bar.red.popc.u32 %0, 0, p; }"
                 : "=r"(count)
                 : "r"(predicate)
                 : "memory");
    return count;
}
#define CONVSCOPE_BARRIER_VOTE(name, operation)                                    \
    CONVSCOPE_DEVICE int name(int predicate) {                                     \
        int holds;                                                                 \
        asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; bar.red." operation \
                     ".pred q, 0, p; selp.s32 %0, "                                \
                     "1, 0, q; }"                                                  \
                     : "=r"(holds)                                                 \
                     : "r"(predicate)                                              \
                     : "memory");                                                  \
        return holds;                                                              \
    }
CONVSCOPE_BARRIER_VOTE(__syncthreads_and, "and")
CONVSCOPE_BARRIER_VOTE(__syncthreads_or, "or")
#undef CONVSCOPE_BARRIER_VOTE
CONVSCOPE_DEVICE void __syncwarp(unsigned mask = 0xffffffff) {
    asm volatile("bar.warp.sync %0;" ::"r"(mask) : "memory");
}
CONVSCOPE_DEVICE void __threadfence() {
    asm volatile("membar.gl;" ::: "memory");
}
CONVSCOPE_DEVICE void __threadfence_block() {
    asm volatile("membar.cta;" ::: "memory");
}
CONVSCOPE_DEVICE void __threadfence_system() {
    asm volatile("membar.sys;" ::: "memory");
}
CONVSCOPE_DEVICE void __nanosleep(unsigned nanoseconds) {
    asm volatile("nanosleep.u32 %0;" ::"r"(nanoseconds));
}

// Addresses, for assembly.
CONVSCOPE_DEVICE size_t __cvta_generic_to_shared(const void* at) {
    size_t result;
    asm("cvta.to.shared.u64 %0, %1;" : "=l"(result) : "l"(at));
    return result;
}

// Shuffles.
#define CONVSCOPE_SHUFFLE(name, mode, pad)                                                                             \
    CONVSCOPE_DEVICE unsigned name(unsigned mask, unsigned value, unsigned lane, int width = 32) {                     \
        unsigned result;                                                                                               \
        asm volatile("shfl.sync." mode ".b32 %0, %1, %2, %3, %4;"                                                      \
                     : "=r"(result)                                                                                    \
                     : "r"(value), "r"(lane), "r"(((32 - width) << 8) | (pad)), "r"(mask));                            \
        return result;                                                                                                 \
    }                                                                                                                  \
    CONVSCOPE_DEVICE unsigned long long name(unsigned mask, unsigned long long value, unsigned lane, int width = 32) { \
        const unsigned low = name(mask, static_cast<unsigned>(value), lane, width);                                    \
        const unsigned high = name(mask, static_cast<unsigned>(value >> 32), lane, width);                             \
        return static_cast<unsigned long long>(high) << 32 | low;                                                      \
    }                                                                                                                  \
    CONVSCOPE_SHUFFLE_AS(name, int, unsigned)                                                                          \
    CONVSCOPE_SHUFFLE_AS(name, float, unsigned)                                                                        \
    CONVSCOPE_SHUFFLE_AS(name, long, unsigned long long)                                                               \
    CONVSCOPE_SHUFFLE_AS(name, unsigned long, unsigned long long)                                                      \
    CONVSCOPE_SHUFFLE_AS(name, long long, unsigned long long)                                                          \
    CONVSCOPE_SHUFFLE_AS(name, double, unsigned long long)
#define CONVSCOPE_SHUFFLE_AS(name, T, bits)                                                     \
    CONVSCOPE_DEVICE T name(unsigned mask, T value, unsigned lane, int width = 32) {            \
        return __builtin_bit_cast(T, name(mask, __builtin_bit_cast(bits, value), lane, width)); \
    }
CONVSCOPE_SHUFFLE(__shfl_sync, "idx", 31)
CONVSCOPE_SHUFFLE(__shfl_up_sync, "up", 0)
CONVSCOPE_SHUFFLE(__shfl_down_sync, "down", 31)
CONVSCOPE_SHUFFLE(__shfl_xor_sync, "bfly", 31)

// Votes.
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
#define CONVSCOPE_REDUCE(name, operation, T)                                                         \
    CONVSCOPE_DEVICE T name(unsigned mask, T value) {                                                \
        T result;                                                                                    \
        asm volatile("redux.sync." operation " %0, %1, %2;" : "=r"(result) : "r"(value), "r"(mask)); \
        return result;                                                                               \
    }
CONVSCOPE_REDUCE(__reduce_add_sync, "add.s32", int)
CONVSCOPE_REDUCE(__reduce_add_sync, "add.u32", unsigned)
CONVSCOPE_REDUCE(__reduce_min_sync, "min.s32", int)
CONVSCOPE_REDUCE(__reduce_min_sync, "min.u32", unsigned)
CONVSCOPE_REDUCE(__reduce_max_sync, "max.s32", int)
CONVSCOPE_REDUCE(__reduce_max_sync, "max.u32", unsigned)
CONVSCOPE_REDUCE(__reduce_and_sync, "and.b32", unsigned)
CONVSCOPE_REDUCE(__reduce_or_sync, "or.b32", unsigned)
CONVSCOPE_REDUCE(__reduce_xor_sync, "xor.b32", unsigned)

// Which lanes have the same value.
CONVSCOPE_DEVICE unsigned __match_any_sync(unsigned mask, unsigned value) {
    unsigned result;
    asm volatile("match.any.sync.b32 %0, %1, %2;" : "=r"(result) : "r"(value), "r"(mask));
    return result;
}
CONVSCOPE_DEVICE unsigned __match_any_sync(unsigned mask, int value) {
    return __match_any_sync(mask, static_cast<unsigned>(value));
}
CONVSCOPE_DEVICE unsigned __match_any_sync(unsigned mask, unsigned long long value) {
    unsigned result;
    asm volatile("match.any.sync.b64 %0, %1, %2;" : "=r"(result) : "l"(value), "r"(mask));
    return result;
}

// The clock.
CONVSCOPE_DEVICE long long clock64() {
    long long result;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(result));
    return result;
}
CONVSCOPE_DEVICE long clock() {
    return static_cast<long>(clock64());
}
