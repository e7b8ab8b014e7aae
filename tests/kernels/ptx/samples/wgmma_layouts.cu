// A product of a warpgroup, 64 x 64 x 16, whose factors lie in shared memory in each of the layouts that a matrix
// descriptor can tell: 'swizzle' is the descriptor's number of it, and a factor that is 'across' has consecutive
// elements along its rows (columns of B), not along k.
#include <cuda_fp16.h>

#include <cstdint>

__device__ static uint32_t smem(const void* p) {
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

/// Bytes of one row of a swizzle's pattern.
template <int swizzle>
constexpr int width = swizzle == 0   ? 16
                      : swizzle == 1 ? 128
                      : swizzle == 2 ? 64
                                     : 32;

/// Where the element is in the factor's 8 KiB, in bytes.
template <int swizzle, bool across>
__device__ static int place(int row, int k) {
    constexpr int w = width<swizzle>;
    int at;
    if (across)  // groups of 8 k: rows of w bytes along 'row', one after the other
        at = k / 8 * 1024 + row * 2 / w * (8 * w) + k % 8 * w + row * 2 % w;
    else  // groups of 8 rows, w bytes apart
        at = row / 8 * (swizzle == 0 ? 256 : 8 * w) + row % 8 * w + (swizzle == 0 ? k / 8 * 128 + k % 8 * 2 : 2 * k);
    return at ^ (at >> 7 & (w / 16 - 1)) << 4;
}

/// Leading and stride byte offsets of that.
template <int swizzle, bool across>
__device__ static uint64_t descriptor(const void* factor) {
    constexpr int w = width<swizzle>;
    constexpr uint64_t leading = across ? (swizzle == 0 ? 1024 : 8 * w) : 128;
    constexpr uint64_t stride = across ? (swizzle == 0 ? 128 : 1024) : swizzle == 0 ? 256 : 8 * w;
    return (smem(factor) & 0x3FFFF) >> 4 | leading >> 4 << 16 | stride >> 4 << 32 |
           static_cast<uint64_t>(swizzle) << 62;
}

#define D8(i)                                                                                                   \
    "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), "+f"(d[i + 6]), \
        "+f"(d[i + 7])

// convscope: grid = 1, block = 128, a = random(64, 16), b = random(64, 16), y = out(64, 64)
template <int swizzle, bool a_across, bool b_across>
__global__ void layouts(const half* a, const half* b, float* y) {
    __shared__ __align__(1024) uint8_t left[8192], right[8192];
    for (int i = threadIdx.x; i < 64 * 16; i += blockDim.x) {
        *reinterpret_cast<half*>(left + place<swizzle, a_across>(i / 16, i % 16)) = a[i];
        *reinterpret_cast<half*>(right + place<swizzle, b_across>(i / 16, i % 16)) = b[i];
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    float d[32] = {};
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, "
        "%13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, %32, %33, 1, "
        "1, 1, %34, %35;"
        : D8(0), D8(8), D8(16), D8(24)
        : "l"(descriptor<swizzle, a_across>(left)), "l"(descriptor<swizzle, b_across>(right)), "n"(int(a_across)),
          "n"(int(b_across))
        : "memory");
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    const int row = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4, column = 2 * (threadIdx.x % 4);
    for (int i = 0; i < 32; ++i) y[(row + 8 * (i / 2 % 2)) * 64 + 8 * (i / 4) + column + i % 2] = d[i];
}

#define ALL(swizzle)                                                                           \
    template __global__ void layouts<swizzle, false, false>(const half*, const half*, float*); \
    template __global__ void layouts<swizzle, false, true>(const half*, const half*, float*);  \
    template __global__ void layouts<swizzle, true, false>(const half*, const half*, float*);  \
    template __global__ void layouts<swizzle, true, true>(const half*, const half*, float*);
ALL(0)
ALL(1)
ALL(2)
ALL(3)
