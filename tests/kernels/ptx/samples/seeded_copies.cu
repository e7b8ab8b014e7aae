// Asynchronous copies (cp.async): kernels with one bug each where BUG is 1, and their clean twins where it is 0. The
// comment at a bug's line says what has to be found there, and in quotes which words it has to be said in.
#define KERNEL extern "C" __global__ void
#define COPY(bytes, to, from)                                                                                       \
    asm volatile("cp.async.ca.shared.global [%0], [%1], " #bytes ";" ::"r"((unsigned)__cvta_generic_to_shared(to)), \
                 "l"(from)                                                                                          \
                 : "memory")
#define COMMIT asm volatile("cp.async.commit_group;" ::: "memory")
#define WAIT_UNTIL_LEFT(groups) asm volatile("cp.async.wait_group %0;" ::"n"(groups) : "memory")

// convscope: grid = 1, block = 32, x = random(128), y = out(128)
KERNEL copy_not_waited_for(const float* x, float* y) {
    __shared__ float4 a[32];
    int i = threadIdx.x;
    COPY(16, &a[i], x + 4 * i);
    COMMIT;
    if (!BUG) WAIT_UNTIL_LEFT(0);
    ((float4*)y)[i] = a[i];  // bug: uninitialised "copies it at seeded_copies.cu:"
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
        if (i < 3) COPY(4, &a[(i + 1) % 2][t], x + 64 * (i + 1) + t);  // bug: race "reads it at seeded_copies.cu:"
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
