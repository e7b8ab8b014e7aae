// Warpgroup matrix multiply-accumulate (wgmma, sm_90a): D[64][N] += A[64][K] B[N][K]^T, with K = 8 in TF32 and K = 16
// in FP16. B is in shared memory, A there or in registers, D in the registers of the warpgroup's 128 threads.
// The tensor cores truncate TF32 inputs; a kernel that needs them rounded must round them itself (rounding.h).
#pragma once

#include <cstdint>

namespace convscope::hopper {

/// Returns the shared-memory matrix descriptor of an operand: rows of 128 bytes (K = 32 values of TF32 or 64 of FP16)
/// with the 128-byte swizzle, groups of 8 consecutive rows 'group_bytes' apart. The swizzle depends on the address
/// alone (the 16 bytes i of a row are at i ^ address / 128 % 8), so an operand may begin at any row, and at any
/// multiple of 32 bytes in it, of an array that is 1024-byte aligned.
__device__ __forceinline__ std::uint64_t make_descriptor(std::uint32_t address, int group_bytes) {
    constexpr std::uint64_t swizzle_128_bytes = 1;
    return static_cast<std::uint64_t>(address >> 4 & 0x3fff) | static_cast<std::uint64_t>(1) << 16 |
           static_cast<std::uint64_t>(group_bytes >> 4) << 32 | swizzle_128_bytes << 62;
}

/// Orders earlier accesses to the accumulators and operand registers before the next product (wgmma.fence).
__device__ __forceinline__ void warpgroup_arrive() {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
/// Commits the products issued since the last commit as one group (wgmma.commit_group). Groups complete in order.
__device__ __forceinline__ void warpgroup_commit() {
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
/// Waits until at most the latest 'Pending' groups are in flight (wgmma.wait_group).
template <int Pending>
__device__ __forceinline__ void warpgroup_wait() {
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(Pending) : "memory");
}

#define FOUR_SUMS(i) "+f"(sum[i]), "+f"(sum[(i) + 1]), "+f"(sum[(i) + 2]), "+f"(sum[(i) + 3])

// clang-format off
__device__ __forceinline__ void multiply_64x64x8(float (&sum)[32], std::uint64_t a, std::uint64_t b) {
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n64k8.f32.tf32.tf32 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, %32, %33, 1, 1, 1;"
        : FOUR_SUMS(0), FOUR_SUMS(4), FOUR_SUMS(8), FOUR_SUMS(12), FOUR_SUMS(16), FOUR_SUMS(20), FOUR_SUMS(24), FOUR_SUMS(28)
        : "l"(a), "l"(b));
}

__device__ __forceinline__ void multiply_64x128x8(float (&sum)[64], std::uint64_t a, std::uint64_t b) {
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n128k8.f32.tf32.tf32 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
        "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
        "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, %64, %65, 1, 1, 1;"
        : FOUR_SUMS(0), FOUR_SUMS(4), FOUR_SUMS(8), FOUR_SUMS(12), FOUR_SUMS(16), FOUR_SUMS(20), FOUR_SUMS(24), FOUR_SUMS(28), FOUR_SUMS(32), FOUR_SUMS(36), FOUR_SUMS(40), FOUR_SUMS(44), FOUR_SUMS(48), FOUR_SUMS(52), FOUR_SUMS(56), FOUR_SUMS(60)
        : "l"(a), "l"(b));
}

__device__ __forceinline__ void multiply_64x64x8(float (&sum)[32], const std::uint32_t (&a)[4], std::uint64_t b) {
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n64k8.f32.tf32.tf32 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, {%32, %33, %34, %35}, %36, 1, 1, 1;"
        : FOUR_SUMS(0), FOUR_SUMS(4), FOUR_SUMS(8), FOUR_SUMS(12), FOUR_SUMS(16), FOUR_SUMS(20), FOUR_SUMS(24), FOUR_SUMS(28)
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));
}

__device__ __forceinline__ void multiply_64x128x8(float (&sum)[64], const std::uint32_t (&a)[4], std::uint64_t b) {
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n128k8.f32.tf32.tf32 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
        "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
        "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, {%64, %65, %66, %67}, %68, 1, 1, 1;"
        : FOUR_SUMS(0), FOUR_SUMS(4), FOUR_SUMS(8), FOUR_SUMS(12), FOUR_SUMS(16), FOUR_SUMS(20), FOUR_SUMS(24), FOUR_SUMS(28), FOUR_SUMS(32), FOUR_SUMS(36), FOUR_SUMS(40), FOUR_SUMS(44), FOUR_SUMS(48), FOUR_SUMS(52), FOUR_SUMS(56), FOUR_SUMS(60)
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));
}

__device__ __forceinline__ void multiply_64x64x16(float (&sum)[32], std::uint64_t a, std::uint64_t b) {
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, %32, %33, 1, 1, 1, 0, 0;"
        : FOUR_SUMS(0), FOUR_SUMS(4), FOUR_SUMS(8), FOUR_SUMS(12), FOUR_SUMS(16), FOUR_SUMS(20), FOUR_SUMS(24), FOUR_SUMS(28)
        : "l"(a), "l"(b));
}

__device__ __forceinline__ void multiply_64x128x16(float (&sum)[64], std::uint64_t a, std::uint64_t b) {
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
        "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
        "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, %64, %65, 1, 1, 1, 0, 0;"
        : FOUR_SUMS(0), FOUR_SUMS(4), FOUR_SUMS(8), FOUR_SUMS(12), FOUR_SUMS(16), FOUR_SUMS(20), FOUR_SUMS(24), FOUR_SUMS(28), FOUR_SUMS(32), FOUR_SUMS(36), FOUR_SUMS(40), FOUR_SUMS(44), FOUR_SUMS(48), FOUR_SUMS(52), FOUR_SUMS(56), FOUR_SUMS(60)
        : "l"(a), "l"(b));
}
/// Issues sum += A B, N = 64, B as it lies in memory with k down its rows (the operand is transposed), A in registers:
/// two FP16 values in each of a[0 .. 3], as wgmma's A fragments of 64 x 16 have them.
__device__ __forceinline__ void multiply_halves_turned(float (&sum)[32], const std::uint32_t (&a)[4], std::uint64_t b) {
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, {%32, %33, %34, %35}, %36, 1, 1, 1, 1;"
        : FOUR_SUMS(0), FOUR_SUMS(4), FOUR_SUMS(8), FOUR_SUMS(12), FOUR_SUMS(16), FOUR_SUMS(20), FOUR_SUMS(24), FOUR_SUMS(28)
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));
}
// clang-format on

#undef FOUR_SUMS

/// Issues sum += A B^T, N = 64 or 128; the sums may be read after warpgroup_wait(). Thread t of the warpgroup holds two
/// rows of D, 16 (t / 32) + t % 32 / 4 and the 8th below it, and in each 8 columns the two from 2 (t % 4) on:
/// sum[4 j + 2 below + right] in the j-th eight.
template <int N>
__device__ __forceinline__ void multiply(float (&sum)[N / 2], std::uint64_t a, std::uint64_t b) {
    static_assert(N == 64 || N == 128);
    if constexpr (N == 64)
        multiply_64x64x8(sum, a, b);
    else
        multiply_64x128x8(sum, a, b);
}

/// The same with A in registers, which must not change until the product has completed. For its two rows (those of D),
/// thread t holds column t % 4 in a[0] (below: a[1]) and column t % 4 + 4 in a[2] (below: a[3]).
template <int N>
__device__ __forceinline__ void multiply(float (&sum)[N / 2], const std::uint32_t (&a)[4], std::uint64_t b) {
    static_assert(N == 64 || N == 128);
    if constexpr (N == 64)
        multiply_64x64x8(sum, a, b);
    else
        multiply_64x128x8(sum, a, b);
}

/// The same in FP16, with K = 16.
template <int N>
__device__ __forceinline__ void multiply_halves(float (&sum)[N / 2], std::uint64_t a, std::uint64_t b) {
    static_assert(N == 64 || N == 128);
    if constexpr (N == 64)
        multiply_64x64x16(sum, a, b);
    else
        multiply_64x128x16(sum, a, b);
}

/// Lowers or raises the registers per thread of the calling warpgroup (setmaxnreg). The kernel must be compiled for a
/// known block size (__launch_bounds__).
template <int Registers>
__device__ __forceinline__ void setmaxnreg_dec() {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(Registers));
}
template <int Registers>
__device__ __forceinline__ void setmaxnreg_inc() {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(Registers));
}

}  // namespace convscope::hopper
