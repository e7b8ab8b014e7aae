// Copies from global to shared memory that one thread asks for and the copy engine carries out (TMA, compute capability
// 9.0). They arrive at an Arrival that was told how many bytes to expect.
#pragma once

#include <cuda.h>

#include "kernels/hopper/arrival.h"

namespace convscope::hopper {

/// 'bytes' consecutive bytes; both ends and the count are multiples of 16.
__device__ __forceinline__ void copy_bulk(void* to, const void* from, int bytes, Arrival& arrival) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                     shared_address(to)),
                 "l"(from), "r"(bytes), "r"(shared_address(&arrival))
                 : "memory");
}

/// Has the map fetched before the first copy needs it.
__device__ __forceinline__ void prefetch_map(const CUtensorMap& map) {
    asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
}

/// The map's box that begins at these coordinates, innermost first; zeros outside of the tensor, where a coordinate may
/// also be negative. 'to' is 128-byte aligned; 1024 with a swizzle of 128 bytes.
__device__ __forceinline__ void copy_box(void* to, const CUtensorMap& map, int c0, int c1, int c2, int c3,
                                         Arrival& arrival) {
    asm volatile(
        "cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5, "
        "%6}], [%2];" ::"r"(shared_address(to)),
        "l"(&map), "r"(shared_address(&arrival)), "r"(c0), "r"(c1), "r"(c2), "r"(c3)
        : "memory");
}

/// Makes this thread's ordinary stores to shared memory visible to copies and matrix products that others start after
/// the next barrier.
__device__ __forceinline__ void publish_shared_stores() {
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

}  // namespace convscope::hopper
