// Uses of clusters of blocks: a histogram whose bins lie in the shared memory of two blocks, and a bulk copy that
// one block has sent to both.
#include <cooperative_groups.h>

#include <cstdint>

namespace cg = cooperative_groups;

// convscope: grid = 4, block = 64, shared = 128, x = iota(1000, int32), bins = zeros(64), n = 1000
extern "C" __global__ void __cluster_dims__(2, 1, 1) histogram(const int* x, int* bins, int n) {
    extern __shared__ int part[];
    cg::cluster_group cluster = cg::this_cluster();
    for (int i = threadIdx.x; i < 32; i += blockDim.x) part[i] = 0;
    cluster.sync();
    for (int i = cg::this_grid().thread_rank(); i < n; i += gridDim.x * blockDim.x) {
        const int bin = x[i] % 64;
        atomicAdd(cluster.map_shared_rank(part, bin / 32) + bin % 32, 1);
    }
    cluster.sync();
    for (int i = threadIdx.x; i < 32; i += blockDim.x) atomicAdd(&bins[32 * cluster.block_rank() + i], part[i]);
}

// convscope: grid = 4, block = 32, x = random(64), y = out(256)
extern "C" __global__ void __cluster_dims__(2, 1, 1) multicast(const float* x, float* y) {
    __shared__ __align__(16) float tile[64];
    __shared__ uint64_t full;
    cg::cluster_group cluster = cg::this_cluster();
    const uint32_t bar = static_cast<uint32_t>(__cvta_generic_to_shared(&full));
    const uint32_t to = static_cast<uint32_t>(__cvta_generic_to_shared(tile));
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(bar) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    cluster.sync();
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 256;" ::"r"(bar) : "memory");
        // Each block brings a half of the tile to both.
        const uint32_t half = 128 * cluster.block_rank();
        asm volatile(
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], 128, "
            "[%2], "
            "%3;" ::"r"(to + half),
            "l"(x + half / 4), "r"(bar), "h"(uint16_t{3})
            : "memory");
    }
    uint32_t done = 0;
    while (!done)
        asm volatile(
            "{\n.reg .pred p;\nmbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], 0;\nselp.u32 %0, 1, "
            "0, "
            "p;\n}"
            : "=r"(done)
            : "r"(bar)
            : "memory");
    for (int i = threadIdx.x; i < 64; i += blockDim.x) y[64 * blockIdx.x + i] = tile[i];
    cluster.sync();
}
