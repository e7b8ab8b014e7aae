// Products of a warpgroup (wgmma): kernels with one bug each where BUG is 1, and their clean twins where it is 0. The
// comment at a bug's line says what has to be found there, and in quotes which words it has to be said in.
#define KERNEL extern "C" __global__ void

typedef unsigned long long Word;
typedef unsigned short Half;
__device__ unsigned address(const void* in_shared) {
    return (unsigned)__cvta_generic_to_shared(in_shared);
}
/// Rows of 16 halves, in chunks of 8: a chunk's 8 neighbours along the rows are 16 bytes apart, the next chunk of a row
/// 128 bytes on, the next 8 rows 256.
__device__ Word factor(const void* in_shared) {
    return (address(in_shared) & 0x3ffff) >> 4 | (Word)(128 >> 4) << 16 | (Word)(256 >> 4) << 32;
}
__device__ int place(int row, int k) {
    return row / 8 * 128 + k / 8 * 64 + row % 8 * 8 + k % 8;
}
__device__ Half half_of(float value) {
    Half bits;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
    return bits;
}
#define MULTIPLY(d, a, b)                                                                                     \
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;" \
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])                                             \
                 : "l"(a), "l"(b)                                                                             \
                 : "memory")
#define PRODUCTS_FENCE asm volatile("wgmma.fence.sync.aligned;" ::: "memory")
#define COMMIT asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory")
#define WAIT_UNTIL_LEFT(groups) asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(groups) : "memory")
#define FENCE_ASYNC asm volatile("fence.proxy.async.shared::cta;" ::: "memory")

__device__ void fill(Half* a, Half* b, int t) {
#pragma unroll 1
    for (int i = t; i < 64 * 16; i += 128) a[place(i / 16, i % 16)] = half_of(i % 7);
    b[place(t / 16, t % 16)] = half_of(t % 5);
}
__device__ void keep(float* y, const float* d, int t) {
    int row = t / 32 * 16 + t % 32 / 4, column = 2 * (t % 4);
    y[8 * row + column] = d[0];
    y[8 * row + column + 1] = d[1];
    y[8 * row + 64 + column] = d[2];
    y[8 * row + 64 + column + 1] = d[3];
}

// convscope: grid = 1, block = 128, y = out(64, 8)
KERNEL wgmma_not_waited_for(float* y) {
    __shared__ __align__(128) Half a[64 * 16], b[8 * 16];
    int t = threadIdx.x;
    float d[4] = {0, 0, 0, 0};
    fill(a, b, t);
    FENCE_ASYNC;
    __syncthreads();
    PRODUCTS_FENCE;
    MULTIPLY(d, factor(a), factor(b));
    COMMIT;
    if (!BUG) WAIT_UNTIL_LEFT(0);
    y[t] = d[0];  // bug: race "reads a sum, and no wgmma.wait_group comes between"
    WAIT_UNTIL_LEFT(0);
}

// convscope: grid = 1, block = 128, y = out(64, 8)
KERNEL wgmma_not_committed(float* y) {
    __shared__ __align__(128) Half a[64 * 16], b[8 * 16];
    int t = threadIdx.x;
    float d[4] = {0, 0, 0, 0};
    fill(a, b, t);
    FENCE_ASYNC;
    __syncthreads();
    PRODUCTS_FENCE;
    MULTIPLY(d, factor(a), factor(b));
    if (!BUG) COMMIT;
    WAIT_UNTIL_LEFT(0);
    y[t] = d[0] + d[1];  // bug: race "multiplies at seeded_wgmma.cu:"
}

// convscope: grid = 1, block = 128, y = out(64, 8)
KERNEL wgmma_last_group_not_waited_for(float* y) {
    __shared__ __align__(128) Half a[64 * 16], b[8 * 16];
    int t = threadIdx.x;
    float d[4] = {0, 0, 0, 0}, e[4] = {0, 0, 0, 0};
    fill(a, b, t);
    FENCE_ASYNC;
    __syncthreads();
    PRODUCTS_FENCE;
    MULTIPLY(d, factor(a), factor(b));
    COMMIT;
    MULTIPLY(e, factor(a), factor(b));
    COMMIT;
    WAIT_UNTIL_LEFT(BUG);
    y[t] = d[0];
    y[t + 128] = e[0];  // bug: race "reads a sum"
    WAIT_UNTIL_LEFT(0);
}

// convscope: grid = 1, block = 128, y = out(64, 8)
KERNEL wgmma_without_fence(float* y) {
    __shared__ __align__(128) Half a[64 * 16], b[8 * 16];
    int t = threadIdx.x;
    float d[4] = {0, 0, 0, 0};
    fill(a, b, t);
    FENCE_ASYNC;
    __syncthreads();
    if (!BUG) PRODUCTS_FENCE;
    MULTIPLY(d, factor(a), factor(b));  // bug: race "no wgmma.fence comes before"
    COMMIT;
    WAIT_UNTIL_LEFT(0);
    keep(y, d, t);
}

// convscope: grid = 1, block = 128, y = out(64, 8)
KERNEL wgmma_without_fence_of_the_proxy(float* y) {
    __shared__ __align__(128) Half a[64 * 16], b[8 * 16];
    int t = threadIdx.x;
    float d[4] = {0, 0, 0, 0};
    fill(a, b, t);
    if (!BUG) FENCE_ASYNC;
    __syncthreads();
    PRODUCTS_FENCE;
    MULTIPLY(d, factor(a), factor(b));  // bug: race "no fence.proxy.async comes between"
    COMMIT;
    WAIT_UNTIL_LEFT(0);
    keep(y, d, t);
}

// convscope: grid = 1, block = 128, y = out(64, 8)
KERNEL wgmma_without_barrier(float* y) {
    __shared__ __align__(128) Half a[64 * 16], b[8 * 16];
    int t = threadIdx.x;
    float d[4] = {0, 0, 0, 0};
    fill(a, b, t);
    FENCE_ASYNC;
    if (!BUG) __syncthreads();
    PRODUCTS_FENCE;
    MULTIPLY(d, factor(a), factor(b));  // bug: race "no barrier comes between"
    COMMIT;
    WAIT_UNTIL_LEFT(0);
    keep(y, d, t);
}

// convscope: grid = 1, block = 128, y = out(64, 8)
KERNEL wgmma_factor_is_overwritten(float* y) {
    __shared__ __align__(128) Half a[64 * 16], b[8 * 16];
    int t = threadIdx.x;
    float d[4] = {0, 0, 0, 0};
    fill(a, b, t);
    for (int round = 0; round < 2; ++round) {
        FENCE_ASYNC;
        __syncthreads();
        PRODUCTS_FENCE;
        MULTIPLY(d, factor(a), factor(b));
        COMMIT;
        if (!BUG) WAIT_UNTIL_LEFT(0);
        __syncthreads();
        b[place(t / 16, t % 16)] = half_of(round);  // bug: race "reads it asynchronously at seeded_wgmma.cu:"
    }
    WAIT_UNTIL_LEFT(0);
    keep(y, d, t);
}

// convscope: grid = 1, block = 128, x = zeros(128, uint16), y = out(64, 8)
KERNEL wgmma_factor_is_on_its_way(const Half* x, float* y) {
    __shared__ __align__(128) Half a[64 * 16], b[8 * 16];
    __shared__ Word bar;
    int t = threadIdx.x;
    float d[4] = {0, 0, 0, 0};
    fill(a, b, t);
    if (t == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(address(&bar)) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    FENCE_ASYNC;
    __syncthreads();
    if (t == 0) {
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 256;" ::"r"(address(&bar)) : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 256, [%2];" ::"r"(
                         address(b)),
                     "l"(x), "r"(address(&bar))
                     : "memory");
    }
    __syncthreads();
    for (unsigned done = BUG; !done;)
        asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\nselp.u32 %0, 1, 0, p;\n}"
                     : "=r"(done)
                     : "r"(address(&bar))
                     : "memory");
    PRODUCTS_FENCE;
    MULTIPLY(d, factor(a), factor(b));  // bug: uninitialised "what a copy in flight has yet to bring"
    COMMIT;
    WAIT_UNTIL_LEFT(0);
    keep(y, d, t);
}

// convscope: grid = 1, block = 128, y = out(64, 8)
KERNEL wgmma_factor_is_too_short(float* y) {
    __shared__ __align__(128) Half a[64 * 16], b[8 * 16];
    int t = threadIdx.x;
    float d[4] = {0, 0, 0, 0};
    fill(a, b, t);
    FENCE_ASYNC;
    __syncthreads();
    PRODUCTS_FENCE;
    MULTIPLY(d, factor(a) + BUG * 128 / 16, factor(b));  // bug: out_of_bounds "a["
    COMMIT;
    WAIT_UNTIL_LEFT(0);
    keep(y, d, t);
}
