// C = A B^T by two blocks of a cluster that share the tiles of B: in each a warp brings tiles, a ring ahead, and a
// warpgroup multiplies them. A stage is full when its bytes are there, and empty when the warpgroups of both blocks are
// done with it.
#include <cooperative_groups.h>
#include <cuda.h>
#include <cuda_fp16.h>

#include <cstdint>

namespace cg = cooperative_groups;

constexpr int TILE = 64, STAGES = 2, BLOCKS = 2;
constexpr uint32_t TILE_BYTES = TILE * TILE * sizeof(half);

struct Stage {
    half a[TILE * TILE], b[TILE * TILE];
};

__device__ static uint32_t in_shared(const void* p) {
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

__device__ static void wait_for(uint64_t* barrier, uint32_t parity) {
    uint32_t ended = 0;
    while (!ended)
        asm volatile(
            "{\n.reg .pred p;\n"
            "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2;\n"
            "selp.u32 %0, 1, 0, p;\n}"
            : "=r"(ended)
            : "r"(in_shared(barrier)), "r"(parity)
            : "memory");
}

__device__ static void tell(uint64_t* barrier, uint32_t block) {
    asm volatile(
        "{\n.reg .b32 there;\n"
        "mapa.shared::cluster.u32 there, %0, %1;\n"
        "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [there];\n}" ::"r"(in_shared(barrier)),
        "r"(block)
        : "memory");
}

/// Rows of 128 bytes, swizzled; groups of 8 rows are 1024 bytes apart.
__device__ static uint64_t factor(const half* tile) {
    return (in_shared(tile) & 0x3FFFF) >> 4 | uint64_t{1} << 16 | uint64_t{1024 >> 4} << 32 | uint64_t{1} << 62;
}

#define FOUR(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])

// convscope: m = 128, n = 64, k = 320, grid = (m/TILE, n/TILE), block = 160, c = out(m, n)
// convscope: shared = STAGES*2*TILE*TILE*2 + 1024, ta = tensor(random(m, k, float16), TILE, TILE, swizzle128)
// convscope: tb = tensor(random(n, k, float16), TILE, TILE, swizzle128)
__global__ void __cluster_dims__(BLOCKS, 1, 1) __launch_bounds__(160)
    matmul(const __grid_constant__ CUtensorMap ta, const __grid_constant__ CUtensorMap tb, float* c, int m, int n,
           int k) {
    extern __shared__ uint8_t raw[];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    Stage* stages = reinterpret_cast<Stage*>((reinterpret_cast<uintptr_t>(raw) + 1023) & ~uintptr_t{1023});
    cg::cluster_group cluster = cg::this_cluster();
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, steps = k / TILE;

    if (threadIdx.x == 0) {
        for (int i = 0; i < STAGES; ++i) {
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(in_shared(&full[i])) : "memory");
            asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(in_shared(&empty[i])), "n"(BLOCKS) : "memory");
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    cluster.sync();

    if (warp == 4) {
        if (lane == 0)
            for (int step = 0; step < steps; ++step) {
                Stage& stage = stages[step % STAGES];
                const uint32_t bar = in_shared(&full[step % STAGES]);
                wait_for(&empty[step % STAGES], (step / STAGES & 1) ^ 1);
                asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(bar), "r"(2 * TILE_BYTES)
                             : "memory");
                asm volatile(
                    "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], "
                    "[%2];" ::"r"(in_shared(stage.a)),
                    "l"(&ta), "r"(bar), "r"(step * TILE), "r"(static_cast<int>(blockIdx.x) * TILE)
                    : "memory");
                if (cluster.block_rank() == 0)
                    asm volatile(
                        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::"
                        "cluster "
                        "[%0], [%1, {%3, %4}], [%2], %5;" ::"r"(in_shared(stage.b)),
                        "l"(&tb), "r"(bar), "r"(step * TILE), "r"(static_cast<int>(blockIdx.y) * TILE),
                        "h"(static_cast<uint16_t>((1 << BLOCKS) - 1))
                        : "memory");
            }
    } else {
        float d[32] = {};
        for (int step = 0; step < steps; ++step) {
            const Stage& stage = stages[step % STAGES];
            wait_for(&full[step % STAGES], step / STAGES & 1);
            asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
            for (int i = 0; i < TILE; i += 16)
                asm volatile(
                    "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, "
                    "%11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, "
                    "%30, %31}, %32, %33, 1, 1, 1, 0, 0;"
                    : FOUR(0), FOUR(4), FOUR(8), FOUR(12), FOUR(16), FOUR(20), FOUR(24), FOUR(28)
                    : "l"(factor(stage.a + i)), "l"(factor(stage.b + i)));
            asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
            asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
            if (threadIdx.x < BLOCKS) tell(&empty[step % STAGES], threadIdx.x);
        }
        const int row = blockIdx.x * TILE + warp * 16 + lane / 4, column = blockIdx.y * TILE + 2 * (lane % 4);
        for (int i = 0; i < 32; ++i) c[(row + 8 * (i / 2 % 2)) * n + column + 8 * (i / 4) + i % 2] = d[i];
    }
    cluster.sync();
}
