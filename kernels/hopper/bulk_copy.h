// TMA copies from global to shared memory (compute capability 9.0): one thread issues them, the hardware carries them
// out. They complete on an Mbarrier that was told how many bytes to expect.
#pragma once

#include <cuda.h>

#include "kernels/hopper/mbarrier.h"

namespace convscope::hopper {

/// Copies 'bytes' consecutive bytes; both addresses and the count are multiples of 16.
__device__ __forceinline__ void copy_bulk(void* to, const void* from, int bytes, Mbarrier& mbarrier) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                     shared_address(to)),
                 "l"(from), "r"(bytes), "r"(shared_address(&mbarrier))
                 : "memory");
}

/// Prefetches the tensor map before the first copy needs it.
__device__ __forceinline__ void prefetch_map(const CUtensorMap& map) {
    asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
}

/// Copies the map's box that begins at these coordinates, innermost first; zeros outside of the tensor, where a
/// coordinate may also be negative. 'to' is aligned to 128 bytes; to 1024 with the 128-byte swizzle.
__device__ __forceinline__ void copy_box(void* to, const CUtensorMap& map, int c0, int c1, int c2, int c3,
                                         Mbarrier& mbarrier) {
    asm volatile(
        "cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5, "
        "%6}], [%2];" ::"r"(shared_address(to)),
        "l"(&map), "r"(shared_address(&mbarrier)), "r"(c0), "r"(c1), "r"(c2), "r"(c3)
        : "memory");
}

/// Makes this thread's ordinary stores to shared memory visible to copies and matrix products that others start after
/// the next barrier (fence.proxy.async).
__device__ __forceinline__ void fence_proxy_async() {
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

}  // namespace convscope::hopper
