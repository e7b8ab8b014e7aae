// TMA copies from global to shared memory (compute capability 9.0): one thread issues a copy, and the hardware carries
// it out. Its completion is counted in bytes by an Mbarrier; call arrive_expect_tx() for them first.
#pragma once

#include <cuda.h>

#include "kernels/hopper/mbarrier.h"

namespace convscope::hopper {

/// Copies 'bytes' consecutive bytes (cp.async.bulk). Both addresses and the count must be multiples of 16.
__device__ __forceinline__ void copy_bulk(void* to, const void* from, int bytes, Mbarrier& mbarrier) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                     shared_address(to)),
                 "l"(from), "r"(bytes), "r"(shared_address(&mbarrier))
                 : "memory");
}

/// Prefetches the tensor map, so that the first copy does not wait for it.
__device__ __forceinline__ void prefetch_map(const CUtensorMap& map) {
    asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
}

/// Copies a box of the tensor (cp.async.bulk.tensor) from these coordinates on, innermost first. They may be negative:
/// elements outside of the tensor are zeros. 'to' is aligned to 128 bytes; to 1024 with the 128-byte swizzle.
__device__ __forceinline__ void copy_box(void* to, const CUtensorMap& map, int c0, int c1, int c2, int c3,
                                         Mbarrier& mbarrier) {
    asm volatile(
        "cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5, "
        "%6}], [%2];" ::"r"(shared_address(to)),
        "l"(&map), "r"(shared_address(&mbarrier)), "r"(c0), "r"(c1), "r"(c2), "r"(c3)
        : "memory");
}

/// Makes this thread's ordinary stores to shared memory visible to the async proxy: to TMA copies and wgmma that any
/// thread issues after the next barrier.
__device__ __forceinline__ void fence_proxy_async() {
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

}  // namespace convscope::hopper
