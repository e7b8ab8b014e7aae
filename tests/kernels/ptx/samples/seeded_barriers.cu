// Barriers: kernels with one bug each where BUG is 1, and their clean twins where it is 0. The comment at a bug's line
// says what has to be found there, and in quotes which words it has to be said in.
#define KERNEL extern "C" __global__ void
#define BARRIER_SYNC(number, threads) asm volatile("bar.sync %0, %1;" ::"r"(number), "r"(threads) : "memory")
#define BARRIER_ARRIVE(number, threads) asm volatile("bar.arrive %0, %1;" ::"r"(number), "r"(threads) : "memory")

// convscope: grid = 1, block = 64, y = out(64)
KERNEL barrier_is_skipped(float* y) {
    __shared__ float a[64];
    int i = threadIdx.x;
    a[i] = i;
    if (BUG && i >= 60) return;
    __syncthreads();  // bug: divergent_barrier "has left the kernel"
    y[i] = a[i];
}

// convscope: grid = 1, block = 64, y = out(64)
KERNEL barrier_in_each_branch(float* y) {
    int i = threadIdx.x;
    if (BUG && i < 32) {
        y[i] = i;
        __syncthreads();
        y[i] += 1;
    } else {
        y[i] = 2 * i;
        __syncthreads();  // bug: divergent_barrier "waits at seeded_barriers.cu:"
        y[i] *= 3;
    }
}

// convscope: grid = 1, block = 64, y = out(64), n = 2
KERNEL barrier_in_unequal_rounds(float* y, int n) {
    __shared__ float a[64];
    int i = threadIdx.x, rounds = BUG && i >= 32 ? n + 1 : n;
    float sum = 0;
    for (int round = 0; round < rounds; ++round) {
        a[i] = round;
        __syncthreads();  // bug: divergent_barrier "has left the kernel"
        sum += a[i];
    }
    y[i] = sum;
}

// convscope: grid = 1, block = 64, y = out(64)
KERNEL barrier_for_too_many(float* y) {
    __shared__ float a[64];
    int i = threadIdx.x;
    a[i] = i;
    BARRIER_SYNC(1, BUG ? 96 : 64);  // bug: divergent_barrier "for threads that never come"
    y[i] = a[63 - i];
}

// convscope: grid = 1, block = 64, y = out(64)
KERNEL barrier_for_too_few(float* y) {
    __shared__ float a[64];
    int i = threadIdx.x;
    a[i] = i;
    BARRIER_SYNC(1, BUG ? 32 : 64);
    y[i] = a[63 - i];  // bug: race "a[31]"
}

// convscope: grid = 1, block = 64, y = out(64)
KERNEL barrier_for_part_of_a_warp(float* y) {
    __shared__ float a[64];
    int i = threadIdx.x;
    a[i] = i;
    BARRIER_SYNC(1, BUG ? 48 : 64);  // bug: divergent_barrier "a multiple of 32"
    y[i] = a[i];
}

// convscope: grid = 1, block = 96, y = out(96)
KERNEL barrier_for_different_counts(float* y) {
    __shared__ float a[96];
    int i = threadIdx.x;
    a[i] = i;
    BARRIER_SYNC(1, BUG && i < 32 ? 64 : 96);  // bug: divergent_barrier "comes for 64 threads"
    y[i] = a[95 - i];
}

// convscope: grid = 1, block = 64, y = out(32)
KERNEL barrier_of_another_number(float* y) {
    __shared__ float a[32];
    int i = threadIdx.x;
    if (i < 32) {
        a[i] = i;
        BARRIER_ARRIVE(1, 64);
    } else {
        BARRIER_SYNC(BUG ? 2 : 1, 64);  // bug: divergent_barrier "for threads that never come"
        y[i - 32] = a[i - 32];
    }
}

// convscope: grid = 1, block = 32, y = out(32), number = 15
KERNEL barrier_that_no_block_has(float* y, int number) {
    BARRIER_SYNC(number + BUG, 32);  // bug: divergent_barrier "a block has 16"
    y[threadIdx.x] = 1;
}

// convscope: grid = 1, block = 64, y = out(64)
KERNEL barrier_arrived_at_instead_of_waited_at(float* y) {
    __shared__ float a[64];
    int i = threadIdx.x;
    a[i] = i;  // bug: race "thread (32,0,0) a[32]: writes"
    if (BUG && i < 32)
        BARRIER_ARRIVE(1, 64);
    else
        BARRIER_SYNC(1, 64);
    y[i] = a[63 - i];
}

// convscope: grid = 1, block = 96, y = out(32)
KERNEL barrier_of_the_producers_alone(float* y) {
    __shared__ float a[64];
    int i = threadIdx.x;
    if (i < 64) {
        a[i] = i;
        BARRIER_SYNC(1, BUG ? 64 : 96);
    } else {
        if (!BUG) BARRIER_SYNC(1, 96);
        y[i - 64] = a[i - 64] + a[i - 32];  // bug: race "writes it at seeded_barriers.cu:"
    }
}

// convscope: grid = 1, block = 64, y = out(64)
KERNEL barrier_handed_back_too_early(float* y) {
    __shared__ float a[32];
    int i = threadIdx.x;
    for (int round = 0; round < 2; ++round) {
        if (i < 32) {
            if (!BUG && round > 0) BARRIER_SYNC(2, 64);
            a[i] = round;
            BARRIER_ARRIVE(1, 64);  // bug: divergent_barrier "again before it has opened"
        } else {
            BARRIER_SYNC(1, 64);
            y[32 * round + i - 32] = a[63 - i];
            if (!BUG && round == 0) BARRIER_ARRIVE(2, 64);
        }
    }
}

// convscope: grid = 1, block = 32, y = out(32)
KERNEL barrier_of_a_warp_in_a_branch(int* y) {
    __shared__ int a[16];
    int i = threadIdx.x;
    if (i < 16) {
        a[i] = i;
        __syncwarp(BUG ? 0xffffffff : 0x0000ffff);  // bug: divergent_barrier "lanes of its warp that never come"
        y[i] = a[15 - i];
    } else {
        __syncwarp(BUG ? 0xffff7fff : 0xffff0000);
        y[i] = 0;
    }
}

// convscope: grid = 1, block = 32, x = iota(32, int32), y = out(32)
KERNEL barrier_of_a_shuffle_outside_its_mask(const int* x, int* y) {
    int i = threadIdx.x;
    y[i] = __shfl_xor_sync(BUG ? 0x0000ffff : 0xffffffff, x[i], 1);  // bug: divergent_barrier "leaves its lane out"
}
