// Kernels with one bug each where BUG is 1, and their clean twins where it is 0. The comment at a bug's line says what
// has to be found there, and in quotes which words it has to be said in.
#define KERNEL extern "C" __global__ void
#define COPY(bytes, to, from)                                                                                       \
    asm volatile("cp.async.ca.shared.global [%0], [%1], " #bytes ";" ::"r"((unsigned)__cvta_generic_to_shared(to)), \
                 "l"(from)                                                                                          \
                 : "memory")
#define COMMIT asm volatile("cp.async.commit_group;" ::: "memory")
#define WAIT_UNTIL_LEFT(groups) asm volatile("cp.async.wait_group %0;" ::"n"(groups) : "memory")
#define BARRIER_SYNC(number, threads) asm volatile("bar.sync %0, %1;" ::"r"(number), "r"(threads) : "memory")
#define BARRIER_ARRIVE(number, threads) asm volatile("bar.arrive %0, %1;" ::"r"(number), "r"(threads) : "memory")

// Bounds.

// convscope: grid = 1, block = 64, x = out(40), n = 40
KERNEL past_the_end(float* x, int n) {
    int i = threadIdx.x;
    if (i < n || (BUG && i == n)) x[i] = i;  // bug: out_of_bounds "thread (40,0,0) x[40]: writes"
}

// convscope: grid = 1, block = 32, x = random(32), y = out(32)
KERNEL before_the_start(const float* x, float* y) {
    int i = threadIdx.x;
    float left = i > 0 || BUG ? x[i - 1] : 0;  // bug: out_of_bounds "x[-1]: reads"
    y[i] = left;
}

// convscope: grid = ceil(n/64), block = 64, n = 100, x = random(n), y = out(n)
KERNEL last_block_is_not_full(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (!BUG && i >= n) return;
    y[i] = 2 * x[i];  // bug: out_of_bounds "block (1,0,0) thread (36,0,0) x[100]"
}

// convscope: grid = 1, block = (12, 5), rows = 5, columns = 12, x = random(rows, columns), y = out(rows, columns)
KERNEL rows_for_columns(const float* x, float* y, int rows, int columns) {
    int row = threadIdx.y, column = threadIdx.x;
    float value = x[row * columns + column];
    y[row * (BUG ? columns + 1 : columns) + column] = value;  // bug: out_of_bounds "y[60]"
}

// convscope: grid = 1, block = (8, 8), x = random(8, 8), y = out(8, 8)
KERNEL no_padding_below(const float* x, float* y) {
    int row = threadIdx.y, column = threadIdx.x;
    float below = BUG || row < 7 ? x[(row + 1) * 8 + column] : 0;  // bug: out_of_bounds "x[64]"
    y[row * 8 + column] = below;
}

// convscope: grid = 1, block = 32, y = out(32)
KERNEL shared_past_the_end(float* y) {
    __shared__ float a[32];
    __shared__ float b[32];
    int i = threadIdx.x;
    b[i] = i;
    a[BUG ? i + 1 : i] = i;  // bug: out_of_bounds "a[32]"
    __syncthreads();
    y[i] = a[31 - i] + b[i];
}

// convscope: grid = 1, block = 32, shared = 128, y = out(32)
KERNEL dynamic_shared_too_small(float* y) {
    extern __shared__ float tile[];
    int i = threadIdx.x;
    tile[BUG ? i + 8 : i] = i;  // bug: out_of_bounds "tile[32]"
    __syncwarp();
    y[i] = tile[BUG ? i + 8 : 31 - i];
}

// convscope: grid = 1, block = 32, y = out(32), n = 8
KERNEL local_past_the_end(float* y, int n) {
    float mine[8];
    for (int i = 0; i < n + BUG; ++i) mine[i] = i;  // bug: out_of_bounds "local memory"
    y[threadIdx.x] = mine[threadIdx.x % n];
}

// convscope: grid = 1, block = 32, y = out(32), n = 1
KERNEL null_pointer(float* y, int n) {
    float* to = BUG ? (float*)(long long)(n - 1) : y;
    to[threadIdx.x] = 1;  // bug: out_of_bounds "through a null pointer"
}

// convscope: grid = 1, block = 32, x = random(32), y = out(32)
KERNEL writes_its_input(const float* x, float* y) {
    float* to = BUG ? (float*)x : y;
    to[threadIdx.x] = 1;  // bug: out_of_bounds "what may only be read"
}

// convscope: grid = 1, block = 1, x = random(16), y = out(1)
KERNEL misaligned(const float* x, float* y) {
    float4 four = *(const float4*)(x + (BUG ? 2 : 4));  // bug: misaligned "x[2]"
    y[threadIdx.x] = four.x + four.y + four.z + four.w;
}

// convscope: grid = 1, block = 8, x = random(64), y = out(8)
KERNEL misaligned_row(const float* x, float* y) {
    __shared__ __align__(16) float rows[8 * 8];
    int row = threadIdx.x, pitch = BUG ? 7 : 8;
    for (int i = 0; i < 8; ++i) rows[8 * i + row] = x[8 * i + row];
    __syncwarp();
    float4 four = *(float4*)(rows + row * pitch);  // bug: misaligned "thread (1,0,0) rows"
    y[row] = four.x + four.y + four.z + four.w;
}

// What nobody has written.

// convscope: grid = 1, block = 1, y = out(1)
KERNEL uninitialised_output(float* y) {
    int i = threadIdx.x;
    if (!BUG) y[i] = 0;
    y[i] += 1;  // bug: uninitialised "y[0]"
}

// convscope: grid = 1, block = 32, y = out(32)
KERNEL uninitialised_shared(float* y) {
    __shared__ float a[64];
    int i = threadIdx.x;
    a[i] = i;
    if (!BUG) a[i + 32] = i;
    __syncthreads();
    y[i] = a[63 - i];  // bug: uninitialised "a[63]"
}

// convscope: grid = 1, block = 32, y = out(32), n = 8
KERNEL uninitialised_local(float* y, int n) {
    float mine[8];
    for (int i = BUG; i < n; ++i) mine[i] = i;
    y[threadIdx.x] = mine[threadIdx.x % n];  // bug: uninitialised "local memory"
}

// convscope: grid = 2, block = 32, x = random(66), y = out(64)
KERNEL halo_is_not_loaded(const float* x, float* y) {
    __shared__ float tile[34];
    int t = threadIdx.x, i = blockIdx.x * 32 + t;
    tile[t] = x[i];
    if (!BUG && t < 2) tile[t + 32] = x[i + 32];
    __syncthreads();
    y[i] = tile[t] + tile[t + 1] + tile[t + 2];  // bug: uninitialised "tile[32]"
}

// convscope: grid = 1, block = 64, x = iota(64, int32), y = out(16)
KERNEL bins_are_not_zeroed(const int* x, int* y) {
    __shared__ int bins[16];
    int t = threadIdx.x;
    if (!BUG && t < 16) bins[t] = 0;
    __syncthreads();
    atomicAdd(&bins[x[t] % 16], 1);  // bug: uninitialised "bins[0]: updates"
    __syncthreads();
    if (t < 16) y[t] = bins[t];
}

// Races.

// convscope: grid = 1, block = 64, y = out(64)
KERNEL missing_barrier(float* y) {
    __shared__ float a[64];
    int i = threadIdx.x;
    a[i] = i;
    if (!BUG) __syncthreads();
    y[i] = a[63 - i];  // bug: race "writes it at seeded_bugs.cu:"
}

// convscope: grid = 1, block = 64, y = out(64)
KERNEL barrier_too_late(float* y) {
    __shared__ float a[64];
    int i = threadIdx.x;
    float sum = 0;
    for (int round = 0; round < 2; ++round) {
        a[i] = i + round;  // bug: race "reads it at seeded_bugs.cu:"
        __syncthreads();
        sum += a[63 - i];
        if (!BUG) __syncthreads();
    }
    y[i] = sum;
}

// convscope: grid = 1, block = 256, x = random(256), y = out(1)
KERNEL reduction_without_barrier(const float* x, float* y) {
    __shared__ float sums[256];
    int t = threadIdx.x;
    sums[t] = x[t];
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half) sums[t] += sums[t + half];  // bug: race "sums["
        if (!BUG) __syncthreads();
    }
    if (t == 0) y[0] = sums[0];
}

// convscope: grid = 1, block = 64, x = random(64), y = out(64)
KERNEL scan_in_one_buffer(const float* x, float* y) {
    __shared__ float sums[64];
    int t = threadIdx.x;
    sums[t] = x[t];
    __syncthreads();
    for (int by = 1; by < 64; by *= 2) {
        float left = t >= by ? sums[t - by] : 0;
        if (!BUG) __syncthreads();
        sums[t] += left;  // bug: race "reads it at seeded_bugs.cu:"
        __syncthreads();
    }
    y[t] = sums[t];
}

// convscope: grid = 1, block = (16, 16), x = random(16, 16), y = out(16, 16)
KERNEL transpose_without_barrier(const float* x, float* y) {
    __shared__ float tile[16][17];
    int row = threadIdx.y, column = threadIdx.x;
    tile[row][column] = x[row * 16 + column];
    if (!BUG) __syncthreads();
    y[row * 16 + column] = tile[column][row];  // bug: race "tile["
}

// convscope: grid = 1, block = 32, y = out(32)
KERNEL warp_without_sync(int* y) {
    __shared__ int a[32];
    int i = threadIdx.x;
    a[i] = i;
    if (!BUG) __syncwarp();
    y[i] = a[31 - i];  // bug: race "thread (0,0,0) a[31]"
}

// convscope: grid = 1, block = 32, y = zeros(32)
KERNEL same_element(int* y) {
    int i = threadIdx.x;
    y[BUG ? i / 2 : i] = i;  // bug: race "y[0]: writes"
}

// convscope: grid = 1, block = 64, x = iota(64, int32), y = out(16)
KERNEL bins_without_atomic(const int* x, int* y) {
    __shared__ int bins[16];
    int t = threadIdx.x;
    if (t < 16) bins[t] = 0;
    __syncthreads();
    if (BUG)
        bins[x[t] % 16] += 1;  // bug: race "bins[0]"
    else
        atomicAdd(&bins[x[t] % 16], 1);
    __syncthreads();
    if (t < 16) y[t] = bins[t];
}

// convscope: grid = 4, block = 1, y = zeros(4)
KERNEL between_blocks(int* y) {
    int i = blockIdx.x;
    y[i] = i;
    if (BUG) y[(i + 1) % gridDim.x] = i;  // bug: race "blocks of one launch have no order"
}

// convscope: grid = 2, block = 1, count = zeros(1)
KERNEL counts_without_atomic(int* count) {
    if (BUG)
        *count = *count + 1;  // bug: race "count[0]"
    else
        atomicAdd(count, 1);
}

// convscope: grid = 4, block = 32, sum = zeros(1), y = out(4)
KERNEL reads_a_sum_that_grows(int* sum, int* y) {
    if (threadIdx.x > 0) return;
    y[blockIdx.x] = BUG && blockIdx.x > 0 ? *sum : atomicAdd(sum, 1);  // bug: race "sum[0]"
}

// convscope: grid = 2, block = 32, flag = zeros(1), data = out(1), y = out(1)
KERNEL missing_fence(volatile int* flag, float* data, float* y) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        data[0] = 5;
        if (!BUG) __threadfence();
        *flag = 1;
    } else {
        while (*flag == 0) {
        }
        __threadfence();
        y[0] = data[0];  // bug: race "data[0]"
    }
}

// convscope: grid = 1, block = 64, x = random(1), y = out(1)
KERNEL missing_fence_between_warps(const float* x, float* y) {
    __shared__ float data;
    __shared__ volatile int flag;
    if (threadIdx.x == 0) flag = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        data = x[0];
        if (!BUG) __threadfence_block();
        flag = 1;
    } else if (threadIdx.x == 32) {
        while (flag == 0) {
        }
        __threadfence_block();
        y[0] = data;  // bug: race "data[0]"
    }
}

// What does not end, or ends too early.

// convscope: grid = 1, block = 32, flag = zeros(1), y = out(32)
KERNEL endless(volatile int* flag, int* y) {
    while (BUG && *flag == 0) {  // bug: endless
    }
    y[threadIdx.x] = 1;
}

// convscope: grid = 1, block = 32, x = iota(32, int32), y = out(32)
KERNEL trap(const int* x, int* y) {
    int value = x[threadIdx.x];
    if (value > 30 + !BUG) asm volatile("trap;");  // bug: assertion "thread (31,0,0)"
    y[threadIdx.x] = value;
}

// Asynchronous copies.

// convscope: grid = 1, block = 32, x = random(128), y = out(128)
KERNEL copy_not_waited_for(const float* x, float* y) {
    __shared__ float4 a[32];
    int i = threadIdx.x;
    COPY(16, &a[i], x + 4 * i);
    COMMIT;
    if (!BUG) WAIT_UNTIL_LEFT(0);
    ((float4*)y)[i] = a[i];  // bug: uninitialised "copies it at seeded_bugs.cu:"
}

// convscope: grid = 1, block = 32, x = random(128), y = out(128)
KERNEL copy_not_committed(const float* x, float* y) {
    __shared__ float4 a[32];
    int i = threadIdx.x;
    COPY(16, &a[i], x + 4 * i);
    if (!BUG) COMMIT;
    WAIT_UNTIL_LEFT(0);
    ((float4*)y)[i] = a[i];  // bug: uninitialised "a copy in flight"
}

// convscope: grid = 1, block = 32, x = random(128), y = out(32)
KERNEL copy_last_group_not_waited_for(const float* x, float* y) {
    __shared__ float a[4][32];
    int t = threadIdx.x;
    float sum = 0;
    COPY(4, &a[0][t], x + t);
    COMMIT;
    for (int i = 0; i < 4; ++i) {
        if (i < 3) COPY(4, &a[i + 1][t], x + 32 * (i + 1) + t);
        if (!BUG || i < 3) COMMIT;
        WAIT_UNTIL_LEFT(1);
        sum += a[i][t];  // bug: uninitialised "a["
    }
    y[t] = sum;
}

// convscope: grid = 1, block = 32, x = random(128), y = out(32)
KERNEL copy_of_the_round_before(const float* x, float* y) {
    __shared__ float a[32];
    int t = threadIdx.x;
    float sum = 0;
    for (int i = 0; i < 4; ++i) {
        COPY(4, &a[t], x + 32 * i + t);
        COMMIT;
        if (!BUG || i == 0) WAIT_UNTIL_LEFT(0);
        sum += a[t];  // bug: uninitialised "has yet to bring"
        WAIT_UNTIL_LEFT(0);
    }
    y[t] = sum;
}

// convscope: grid = 1, block = 64, x = random(64), y = out(64)
KERNEL copy_of_another_thread(const float* x, float* y) {
    __shared__ float a[64];
    int i = threadIdx.x;
    COPY(4, &a[i], x + i);
    COMMIT;
    WAIT_UNTIL_LEFT(0);
    if (!BUG) __syncthreads();
    y[i] = a[63 - i];  // bug: race "a[31]"
}

// convscope: grid = 1, block = 64, x = random(64), y = out(64)
KERNEL copy_waited_for_after_the_barrier(const float* x, float* y) {
    __shared__ float a[64];
    int i = threadIdx.x;
    COPY(4, &a[i], x + i);
    COMMIT;
    if (!BUG) WAIT_UNTIL_LEFT(0);
    __syncthreads();
    if (BUG) WAIT_UNTIL_LEFT(0);
    y[i] = a[63 - i];  // bug: uninitialised "a copy in flight"
}

// convscope: grid = 1, block = 64, x = random(64), y = out(64)
KERNEL copy_waited_for_by_one_warp(const float* x, float* y) {
    __shared__ float a[64];
    int i = threadIdx.x;
    COPY(4, &a[i], x + i);
    COMMIT;
    if (!BUG || i < 32) WAIT_UNTIL_LEFT(0);
    __syncthreads();
    y[i] = a[63 - i];  // bug: uninitialised "thread (0,0,0) a[63]"
}

// convscope: grid = 1, block = 64, x = random(256), y = out(64)
KERNEL copy_into_a_stage_that_is_read(const float* x, float* y) {
    __shared__ float a[2][64];
    int t = threadIdx.x;
    float sum = 0;
    COPY(4, &a[0][t], x + t);
    COMMIT;
    for (int i = 0; i < 4; ++i) {
        if (i < 3) COPY(4, &a[(i + 1) % 2][t], x + 64 * (i + 1) + t);  // bug: race "reads it at seeded_bugs.cu:"
        COMMIT;
        WAIT_UNTIL_LEFT(1);
        __syncthreads();
        sum += a[i % 2][63 - t];
        if (!BUG) __syncthreads();
    }
    y[t] = sum;
}

// convscope: grid = 1, block = 64, x = random(256), y = out(64)
KERNEL copy_into_the_stage_in_use(const float* x, float* y) {
    __shared__ float a[2][64];
    int t = threadIdx.x;
    float sum = 0;
    COPY(4, &a[0][t], x + t);
    COMMIT;
    WAIT_UNTIL_LEFT(0);
    for (int i = 0; i < 4; ++i) {
        __syncthreads();
        if (i < 3) COPY(4, &a[(i + !BUG) % 2][t], x + 64 * (i + 1) + t);
        COMMIT;
        sum += a[i % 2][t];  // bug: uninitialised "a copy in flight"
        WAIT_UNTIL_LEFT(0);
    }
    y[t] = sum;
}

// convscope: grid = 1, block = 32, x = random(30), y = out(32)
KERNEL copy_and_store_to_one_place(const float* x, float* y) {
    __shared__ float a[32];
    int i = threadIdx.x;
    if (i < 30) COPY(4, &a[i], x + i);
    COMMIT;
    if (i >= 30 - BUG) a[i] = 0;  // bug: race "what a copy in flight writes"
    WAIT_UNTIL_LEFT(0);
    y[i] = a[i];
}

// convscope: grid = 1, block = 64, x = random(64), y = out(64)
KERNEL copy_twice_to_one_place(const float* x, float* y) {
    __shared__ float a[64];
    int i = threadIdx.x;
    COPY(4, &a[BUG ? i % 63 : i], x + i);  // bug: race "a[0]"
    COMMIT;
    WAIT_UNTIL_LEFT(0);
    __syncthreads();
    y[i] = a[BUG ? i % 63 : i];
}

// convscope: grid = 1, block = 32, x = random(32), y = out(32)
KERNEL copy_of_what_changes(float* x, float* y) {
    __shared__ float a[32];
    int i = threadIdx.x;
    COPY(4, &a[i], x + i);
    COMMIT;
    if (!BUG) WAIT_UNTIL_LEFT(0);
    x[i] = 0;  // bug: race "what a copy in flight reads"
    WAIT_UNTIL_LEFT(0);
    y[i] = a[i];
}

// convscope: grid = 1, block = 32, x = random(132), y = out(128)
KERNEL copy_misaligned(const float* x, float* y) {
    __shared__ float4 a[32];
    int i = threadIdx.x;
    COPY(16, &a[i], x + 4 * i + BUG);  // bug: misaligned "x[1]: reads"
    COMMIT;
    WAIT_UNTIL_LEFT(0);
    ((float4*)y)[i] = a[i];
}

// convscope: grid = 1, block = 32, x = random(120), y = out(128)
KERNEL copy_past_the_end(const float* x, float* y) {
    __shared__ float4 a[32];
    int i = threadIdx.x, there = BUG || i < 30;
    a[i] = make_float4(0, 0, 0, 0);
    if (there) COPY(16, &a[i], x + 4 * i);  // bug: out_of_bounds "x[120]: reads"
    COMMIT;
    WAIT_UNTIL_LEFT(0);
    ((float4*)y)[i] = a[i];
}

// convscope: grid = 1, block = 32, x = random(128), y = out(128)
KERNEL copy_into_the_next_array(const float* x, float* y) {
    __shared__ float4 a[32];
    __shared__ float4 b[32];
    int i = threadIdx.x;
    b[i] = make_float4(1, 1, 1, 1);
    COPY(16, &a[i + BUG], x + 4 * i);  // bug: out_of_bounds "a[32]: writes"
    COMMIT;
    WAIT_UNTIL_LEFT(0);
    __syncwarp();
    float4 mine = a[i + BUG], one = b[31 - i];
    ((float4*)y)[i] = make_float4(mine.x + one.x, mine.y, mine.z, mine.w);
}

// convscope: grid = 1, block = 32, x = out(32), y = out(32)
KERNEL copy_of_what_nobody_wrote(float* x, float* y) {
    __shared__ float a[32];
    int i = threadIdx.x;
    if (!BUG) x[i] = i;
    COPY(4, &a[i], x + i);  // bug: uninitialised "x[0]: reads"
    COMMIT;
    WAIT_UNTIL_LEFT(0);
    y[i] = a[i];
}

// Barriers.

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
        __syncthreads();  // bug: divergent_barrier "waits at seeded_bugs.cu:"
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
        y[i - 64] = a[i - 64] + a[i - 32];  // bug: race "writes it at seeded_bugs.cu:"
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
