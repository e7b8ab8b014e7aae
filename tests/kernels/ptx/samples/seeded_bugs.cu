// Kernels with one bug each where BUG is 1, and their clean twins where it is 0. The comment at a bug's line says what
// has to be found there, and in quotes which words it has to be said in.
#define KERNEL extern "C" __global__ void

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

// Uninitialised outputs.

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

// Kernels that do not end, or end too early.

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
