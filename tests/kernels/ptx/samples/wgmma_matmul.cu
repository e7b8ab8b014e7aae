// C = A B^T in half precision with float sums, a tile of 64 x 64 a block: one thread has boxes of 64 x 64 copied into a
// ring of stages (TMA), a warpgroup multiplies them on the tensor cores.
#include <cuda.h>
#include <cuda_fp16.h>

#include <cstdint>

constexpr int TILE = 64, STAGES = 3;
constexpr int TILE_BYTES = TILE * TILE * sizeof(half);

__device__ static uint32_t smem(const void* p) {
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

__device__ static void barrier_init(uint64_t* bar, int count) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;\n" ::"r"(smem(bar)), "r"(count));
}
__device__ static void barrier_expect(uint64_t* bar, uint32_t bytes) {
    asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], %1;\n" ::"r"(smem(bar)), "r"(bytes)
                 : "memory");
}
__device__ static void barrier_wait(uint64_t* bar, uint32_t phase) {
    asm volatile(
        "{\n"
        ".reg .pred P1;\n"
        "LAB_WAIT:\n"
        "mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n"
        "@P1 bra DONE;\n"
        "bra LAB_WAIT;\n"
        "DONE:\n"
        "}\n" ::"r"(smem(bar)),
        "r"(phase)
        : "memory");
}
__device__ static void tma_load(void* to, const CUtensorMap* map, uint64_t* bar, int column, int row) {
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], "
        "[%2];\n" ::"r"(smem(to)),
        "l"(map), "r"(smem(bar)), "r"(column), "r"(row)
        : "memory");
}
__device__ static void tma_store(const CUtensorMap* map, const void* from, int column, int row) {
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%2, %3}], [%1];\n" ::"l"(map),
                 "r"(smem(from)), "r"(column), "r"(row)
                 : "memory");
}

// Rows of 128 bytes, swizzled; groups of 8 rows are 1024 bytes apart.
__device__ static uint64_t make_desc(const half* tile) {
    uint64_t desc = (smem(tile) & 0x3FFFF) >> 4;
    desc |= 1ull << 16;
    desc |= static_cast<uint64_t>(1024 >> 4) << 32;
    desc |= 1ull << 62;
    return desc;
}

#define D8(i)                                                                                                   \
    "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), "+f"(d[i + 6]), \
        "+f"(d[i + 7])
__device__ static void wgmma64(float (&d)[32], uint64_t desc_a, uint64_t desc_b) {
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 "
        "{%0,   %1,   %2,   %3,   %4,   %5,   %6,   %7,   %8,   %9,   %10,  %11,  %12,  %13,  %14,  %15,  "
        " %16,  %17,  %18,  %19,  %20,  %21,  %22,  %23,  %24,  %25,  %26,  %27,  %28,  %29,  %30,  %31},"
        " %32, %33, 1, 1, 1, 0, 0;\n"
        : D8(0), D8(8), D8(16), D8(24)
        : "l"(desc_a), "l"(desc_b));
}

// convscope: m = 128, n = 64, k = 192, grid = (n/TILE, m/TILE), block = 128, shared = 2*STAGES*TILE*TILE*2 + 1024
// convscope: a = tensor(random(m, k, float16), TILE, TILE, swizzle128), c = tensor(out(m, n), 16, 16)
// convscope: b = tensor(random(n, k, float16), TILE, TILE, swizzle128)
__global__ void __launch_bounds__(128)
    matmul(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
           const __grid_constant__ CUtensorMap c, int m, int n, int k) {
    extern __shared__ uint8_t raw[];
    __shared__ uint64_t full[STAGES];
    __shared__ __align__(128) float out[4][16][16];
    half* tiles = reinterpret_cast<half*>((reinterpret_cast<uintptr_t>(raw) + 1023) & ~uintptr_t{1023});
    half* as = tiles;
    half* bs = tiles + STAGES * TILE * TILE;
    const int row = blockIdx.y * TILE, column = blockIdx.x * TILE, steps = k / TILE;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;

    if (threadIdx.x == 0) {
        for (int i = 0; i < STAGES; ++i) barrier_init(&full[i], 1);
        asm volatile("fence.mbarrier_init.release.cluster;\n" ::: "memory");
    }
    __syncthreads();

    auto load = [&](int step) {
        const int stage = step % STAGES;
        barrier_expect(&full[stage], 2 * TILE_BYTES);
        tma_load(as + stage * TILE * TILE, &a, &full[stage], step * TILE, row);
        tma_load(bs + stage * TILE * TILE, &b, &full[stage], step * TILE, column);
    };
    if (threadIdx.x == 0)
        for (int step = 0; step < STAGES - 1 && step < steps; ++step) load(step);

    float d[32] = {};
    for (int step = 0; step < steps; ++step) {
        const int stage = step % STAGES;
        barrier_wait(&full[stage], step / STAGES & 1);
        asm volatile("wgmma.fence.sync.aligned;\n" ::: "memory");
        for (int i = 0; i < TILE; i += 16)
            wgmma64(d, make_desc(as + stage * TILE * TILE + i), make_desc(bs + stage * TILE * TILE + i));
        asm volatile("wgmma.commit_group.sync.aligned;\n" ::: "memory");
        asm volatile("wgmma.wait_group.sync.aligned 0;\n" ::: "memory");
        __syncthreads();
        if (threadIdx.x == 0 && step + STAGES - 1 < steps) load(step + STAGES - 1);
    }

    // Through shared memory, 16 columns at a time.
    for (int part = 0; part < TILE / 16; ++part) {
        for (int i = 0; i < 8; ++i)
            out[warp][lane / 4 + 8 * (i / 2 % 2)][8 * (i / 4) + 2 * (lane % 4) + i % 2] = d[8 * part + i];
        asm volatile("fence.proxy.async.shared::cta;\n" ::: "memory");
        __syncwarp();
        if (lane == 0) {
            tma_store(&c, out[warp], column + 16 * part, row + 16 * warp);
            asm volatile("cp.async.bulk.commit_group;\n" ::: "memory");
            asm volatile("cp.async.bulk.wait_group.read 0;\n" ::: "memory");
        }
        __syncwarp();
    }
}
