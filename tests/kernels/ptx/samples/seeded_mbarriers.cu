// mbarriers: kernels with one bug each where BUG is 1, and their clean twins where it is 0. The comment at a
// bug's line says what has to be found there, and in quotes which words it has to be said in.
#define KERNEL extern "C" __global__ void

typedef unsigned long long Bar;
__device__ unsigned address(const void* in_shared) {
    return (unsigned)__cvta_generic_to_shared(in_shared);
}
#define INIT(bar, count) \
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address(bar)), "r"(count) : "memory")
#define FENCE_INIT asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory")
#define ARRIVE(bar) asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address(bar)) : "memory")
#define EXPECT(bar, bytes) \
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address(bar)), "r"(bytes) : "memory")
#define WAIT(bar, parity)                                                                                       \
    asm volatile(                                                                                               \
        "{\n.reg .pred ended;\nagain:\nmbarrier.try_wait.parity.shared::cta.b64 ended, [%0], %1;\n@!ended bra " \
        "again;\n}" ::"r"(address(bar)),                                                                        \
        "r"(parity)                                                                                             \
        : "memory")

// convscope: grid = 1, block = 64, y = out(64)
KERNEL mbarrier_not_initialised(float* y) {
    __shared__ Bar bar;
    int i = threadIdx.x;
    if (!BUG && i == 0) INIT(&bar, 64);
    __syncthreads();
    ARRIVE(&bar);  // bug: uninitialised "bar[0]: is no mbarrier"
    y[i] = i;
}

// convscope: grid = 1, block = 64, y = out(64)
KERNEL mbarrier_initialised_without_a_barrier(float* y) {
    __shared__ Bar bar;
    int i = threadIdx.x;
    if (i == 0) INIT(&bar, 64);
    if (!BUG) __syncthreads();
    ARRIVE(&bar);  // bug: race "bar[0]"
    y[i] = i;
}

// convscope: grid = 1, block = 64, y = out(64)
KERNEL mbarrier_for_too_many(float* y) {
    __shared__ Bar bar;
    __shared__ float a[64];
    int i = threadIdx.x;
    if (i == 0) INIT(&bar, BUG ? 65 : 64);
    __syncthreads();
    a[i] = i;
    ARRIVE(&bar);
    WAIT(&bar, 0);  // bug: divergent_barrier "bar[0]: waits for its phase 0, which lacks 1 of 65 arrivals"
    y[i] = a[63 - i];
}

// convscope: grid = 1, block = 64, y = out(64)
KERNEL mbarrier_for_too_few(float* y) {
    __shared__ Bar bar;
    __shared__ float a[64];
    int i = threadIdx.x;
    if (i == 0) INIT(&bar, BUG ? 32 : 64);
    __syncthreads();
    a[i] = i;  // bug: race "a[0]: writes it, and no barrier comes between"
    ARRIVE(&bar);
    WAIT(&bar, 0);
    y[i] = a[63 - i];
}

// convscope: grid = 1, block = 64, y = out(64)
KERNEL mbarrier_not_waited_at(float* y) {
    __shared__ Bar bar;
    __shared__ float a[64];
    int i = threadIdx.x;
    if (i == 0) INIT(&bar, 64);
    __syncthreads();
    a[i] = i;
    ARRIVE(&bar);
    if (!BUG) WAIT(&bar, 0);
    y[i] = a[63 - i];  // bug: race "writes it at seeded_mbarriers.cu:"
}

// convscope: grid = 1, block = 64, y = out(64)
KERNEL mbarrier_of_the_other_parity(float* y) {
    __shared__ Bar bar;
    __shared__ float a[64];
    int i = threadIdx.x;
    if (i == 0) INIT(&bar, 64);
    __syncthreads();
    a[i] = i;  // bug: race "reads it at seeded_mbarriers.cu:"
    ARRIVE(&bar);
    WAIT(&bar, BUG);
    y[i] = a[63 - i];
}

// convscope: grid = 1, block = 64, y = out(64)
KERNEL mbarrier_parity_is_not_turned(float* y) {
    __shared__ Bar bar;
    __shared__ float a[2][64];
    int i = threadIdx.x;
    if (i == 0) INIT(&bar, 64);
    __syncthreads();
    float sum = 0;
    for (int round = 0; round < 2; ++round) {
        a[round][i] = i;  // bug: race "no barrier comes between"
        ARRIVE(&bar);
        WAIT(&bar, BUG ? 0 : round);
        sum += a[round][63 - i];
    }
    y[i] = sum;
}

// convscope: grid = 1, block = 96, y = out(64)
KERNEL mbarrier_handed_back_by_nobody(float* y) {
    __shared__ Bar full, empty;
    __shared__ float a[32];
    int i = threadIdx.x;
    if (i == 0) {
        INIT(&full, 32);
        INIT(&empty, 64);
    }
    __syncthreads();
    for (int round = 0; round < 2; ++round) {
        if (i < 32) {
            WAIT(&empty, (round & 1) ^ 1);  // bug: divergent_barrier "empty[0]: waits for its phase 0, which lacks 64"
            a[i] = i + round;
            ARRIVE(&full);
        } else {
            WAIT(&full, round & 1);
            float value = a[31 - i % 32];
            if (!BUG) ARRIVE(&empty);
            if (round == 1) y[i - 32] = value;
        }
    }
}

// convscope: grid = 1, block = 64, y = out(64)
KERNEL mbarrier_arrived_at_too_often(float* y) {
    __shared__ Bar bar;
    int i = threadIdx.x;
    if (i == 0) {
        INIT(&bar, 1);
        FENCE_INIT;
    }
    __syncthreads();
    if (i < 1 + BUG)
        EXPECT(&bar, 128);  // bug: divergent_barrier "bar[0]: arrives 1 times at its phase 0, which lacks 0 of 1"
    __syncthreads();
    if (i == 0)
        for (int k = 0; k < 1 + BUG; ++k)
            asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], 128;" ::"r"(address(&bar)) : "memory");
    y[i] = i;
}
