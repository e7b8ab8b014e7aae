// Bulk copies: kernels with one bug each where BUG is 1, and their clean twins where it is 0. The comment at a
// bug's line says what has to be found there, and in quotes which words it has to be said in.
#define KERNEL extern "C" __global__ void

typedef unsigned long long Bar;
__device__ unsigned address(const void* in_shared) {
    return (unsigned)__cvta_generic_to_shared(in_shared);
}
#define INIT(bar, count) \
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address(bar)), "r"(count) : "memory")
#define FENCE_INIT asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory")
#define FENCE_ASYNC asm volatile("fence.proxy.async.shared::cta;" ::: "memory")
#define EXPECT(bar, bytes) \
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address(bar)), "r"(bytes) : "memory")
#define WAIT(bar, parity)                                                                                       \
    asm volatile(                                                                                               \
        "{\n.reg .pred ended;\nagain:\nmbarrier.try_wait.parity.shared::cta.b64 ended, [%0], %1;\n@!ended bra " \
        "again;\n}" ::"r"(address(bar)),                                                                        \
        "r"(parity)                                                                                             \
        : "memory")
#define LOAD(to, from, bytes, bar)                                                                                    \
    asm volatile(                                                                                                     \
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(address(to)), \
        "l"(from), "r"(bytes), "r"(address(bar))                                                                      \
        : "memory")
#define STORE(to, from, bytes)                                                                                \
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(address(from)), \
                 "r"(bytes)                                                                                   \
                 : "memory")
#define COMMIT asm volatile("cp.async.bulk.commit_group;" ::: "memory")
#define WAIT_READ(groups) asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(groups) : "memory")
#define WAIT_STORED(groups) asm volatile("cp.async.bulk.wait_group %0;" ::"n"(groups) : "memory")

// convscope: grid = 1, block = 64, x = random(64), y = out(64)
KERNEL bulk_not_waited_for(const float* x, float* y) {
    __shared__ Bar bar;
    __shared__ __align__(16) float a[64];
    int i = threadIdx.x;
    if (i == 0) {
        INIT(&bar, 1);
        FENCE_INIT;
        EXPECT(&bar, 256);
        LOAD(a, x, 256, &bar);
    }
    __syncthreads();
    if (!BUG || i >= 32) WAIT(&bar, 0);
    y[i] = a[i];  // bug: race "thread (0,0,0) a[0]: reads it, and nobody has waited"
}

// convscope: grid = 1, block = 64, x = random(64), y = out(64)
KERNEL bulk_waited_for_by_nobody(const float* x, float* y) {
    __shared__ Bar bar;
    __shared__ __align__(16) float a[64];
    int i = threadIdx.x;
    if (i == 0) {
        INIT(&bar, 1);
        FENCE_INIT;
        EXPECT(&bar, 256);
        LOAD(a, x, 256, &bar);
    }
    __syncthreads();
    if (!BUG) WAIT(&bar, 0);
    y[i] = a[i];  // bug: uninitialised "what a copy in flight has yet to bring"
}

// convscope: grid = 1, block = 64, x = random(64), y = out(64)
KERNEL bulk_without_announcement(const float* x, float* y) {
    __shared__ Bar bar;
    __shared__ __align__(16) float a[64];
    int i = threadIdx.x;
    if (i == 0) {
        INIT(&bar, 1);
        FENCE_INIT;
        LOAD(a, x, 256, &bar);
        EXPECT(&bar, BUG ? 0 : 256);
    }
    __syncthreads();
    WAIT(&bar, 0);
    y[i] = a[i];  // bug: uninitialised "a copy in flight"
}

// convscope: grid = 1, block = 64, x = random(64), y = out(64)
KERNEL bulk_announced_for_too_much(const float* x, float* y) {
    __shared__ Bar bar;
    __shared__ __align__(16) float a[64];
    int i = threadIdx.x;
    if (i == 0) {
        INIT(&bar, 1);
        FENCE_INIT;
        EXPECT(&bar, 256 + 16 * BUG);
        LOAD(a, x, 256, &bar);
    }
    __syncthreads();
    WAIT(&bar, 0);  // bug: divergent_barrier "which lacks 16 of the announced bytes"
    y[i] = a[i];
}

// convscope: grid = 1, block = 64, x = random(64), y = out(64)
KERNEL bulk_announced_for_too_little(const float* x, float* y) {
    __shared__ Bar bar;
    __shared__ __align__(16) float a[64];
    int i = threadIdx.x;
    if (i == 0) {
        INIT(&bar, 1);
        FENCE_INIT;
        EXPECT(&bar, BUG ? 64 : 256);
        LOAD(a, x, 256, &bar);
    }
    __syncthreads();
    WAIT(&bar, 0);  // bug: divergent_barrier "to which 192 bytes came that nobody has announced"
    y[i] = a[i];
}

// convscope: grid = 1, block = 64, x = random(64), y = out(64)
KERNEL bulk_before_the_mbarrier_is_shown(const float* x, float* y) {
    __shared__ Bar bar;
    __shared__ __align__(16) float a[64];
    int i = threadIdx.x;
    if (i == 0) {
        INIT(&bar, 1);
        if (!BUG) FENCE_INIT;
        EXPECT(&bar, 256);
        LOAD(a, x, 256, &bar);  // bug: race "no fence comes between"
    }
    __syncthreads();
    WAIT(&bar, 0);
    y[i] = a[i];
}

// convscope: grid = 1, block = 64, x = random(128), y = out(64)
KERNEL bulk_into_a_buffer_that_is_read(const float* x, float* y) {
    __shared__ Bar bar;
    __shared__ __align__(16) float a[64];
    int i = threadIdx.x;
    float sum = 0;
    if (i == 0) {
        INIT(&bar, 1);
        FENCE_INIT;
    }
    __syncthreads();
    for (int round = 0; round < 2; ++round) {
        if (i == 0) {
            EXPECT(&bar, 256);
            LOAD(a, x + 64 * round, 256, &bar);  // bug: race "reads it at seeded_bulk.cu:"
        }
        WAIT(&bar, round);
        sum += a[63 - i];
        if (!BUG) __syncthreads();
    }
    y[i] = sum;
}

// convscope: grid = 1, block = 64, x = random(64), y = out(64)
KERNEL bulk_misaligned(const float* x, float* y) {
    __shared__ Bar bar;
    __shared__ __align__(16) float a[64];
    int i = threadIdx.x;
    if (i == 0) {
        INIT(&bar, 1);
        FENCE_INIT;
        EXPECT(&bar, 240);
        LOAD(a, x + (BUG ? 2 : 4), 240, &bar);  // bug: misaligned "where they come from is not a multiple of 16"
    }
    __syncthreads();
    WAIT(&bar, 0);
    y[i] = i < 60 ? a[i] : 0;
}

// convscope: grid = 1, block = 64, x = random(62), y = out(62)
KERNEL bulk_of_a_part_of_16_bytes(const float* x, float* y) {
    __shared__ Bar bar;
    __shared__ __align__(16) float a[64];
    int i = threadIdx.x;
    if (i == 0) {
        INIT(&bar, 1);
        FENCE_INIT;
        EXPECT(&bar, BUG ? 248 : 240);
        LOAD(a, x, BUG ? 248 : 240, &bar);  // bug: misaligned "their number is not a multiple of 16"
    }
    __syncthreads();
    WAIT(&bar, 0);
    if (i < 62) y[i] = i < 60 ? a[i] : x[i];
}

// convscope: grid = 1, block = 64, x = random(60), y = out(60)
KERNEL bulk_past_the_end(const float* x, float* y) {
    __shared__ Bar bar;
    __shared__ __align__(16) float a[64];
    int i = threadIdx.x;
    if (i == 0) {
        INIT(&bar, 1);
        FENCE_INIT;
        EXPECT(&bar, BUG ? 256 : 240);
        LOAD(a, x, BUG ? 256 : 240, &bar);  // bug: out_of_bounds "x[0]: reads 256 bytes, of which the end is outside"
    }
    __syncthreads();
    WAIT(&bar, 0);
    if (i < 60) y[i] = a[i];
}

// convscope: grid = 1, block = 64, x = random(64), y = out(64)
KERNEL bulk_store_without_fence(const float* x, float* y) {
    __shared__ __align__(16) float a[64];
    int i = threadIdx.x;
    a[i] = 2 * x[i];
    if (!BUG) FENCE_ASYNC;
    __syncthreads();
    if (i == 0) {
        STORE(y, a, 256);  // bug: race "no fence.proxy.async comes between"
        COMMIT;
        WAIT_READ(0);
    }
}

// convscope: grid = 1, block = 64, x = random(64), y = out(64)
KERNEL bulk_store_without_barrier(const float* x, float* y) {
    __shared__ __align__(16) float a[64];
    int i = threadIdx.x;
    a[i] = 2 * x[i];  // bug: race "nobody has waited until what was started has ended"
    FENCE_ASYNC;
    if (!BUG) __syncthreads();
    if (i == 0) {
        STORE(y, a, 256);
        COMMIT;
        WAIT_READ(0);
    }
}

// convscope: grid = 1, block = 64, x = random(128), y = out(128)
KERNEL bulk_store_of_what_changes(const float* x, float* y) {
    __shared__ __align__(16) float a[64];
    int i = threadIdx.x;
    for (int round = 0; round < 2; ++round) {
        a[i] = 2 * x[64 * round + i];  // bug: race "reads it asynchronously at seeded_bulk.cu:"
        FENCE_ASYNC;
        __syncthreads();
        if (i == 0) {
            STORE(y + 64 * round, a, 256);
            COMMIT;
            if (!BUG) WAIT_READ(0);
        }
        __syncthreads();
    }
    if (i == 0) WAIT_READ(0);
}

// convscope: grid = 1, block = 64, x = random(64), y = out(64)
KERNEL bulk_store_not_waited_for(const float* x, float* y) {
    __shared__ __align__(16) float a[64];
    int i = threadIdx.x;
    a[i] = 2 * x[i];
    FENCE_ASYNC;
    __syncthreads();
    if (i == 0) {
        STORE(y, a, 256);  // bug: race "leaves the kernel without having waited for it"
        COMMIT;
        if (!BUG) WAIT_READ(0);
    }
}

// convscope: grid = 1, block = 64, x = random(64), y = out(64), z = out(64)
KERNEL bulk_store_read_back(const float* x, float* y, float* z) {
    __shared__ __align__(16) float a[64];
    int i = threadIdx.x;
    a[i] = 2 * x[i];
    FENCE_ASYNC;
    __syncthreads();
    if (i == 0) {
        STORE(y, a, 256);
        COMMIT;
        if (!BUG) WAIT_STORED(0);
    }
    __syncthreads();
    z[i] = y[63 - i];  // bug: race "writes it asynchronously"
    if (i == 0) WAIT_STORED(0);
}
