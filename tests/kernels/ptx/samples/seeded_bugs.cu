// Kernels with one bug each, at the line that says so, and their clean twins: 'buggy' is the only difference.
#define KERNEL extern "C" __global__ void

KERNEL past_the_end(bool buggy, float* x, int n) {
    int i = threadIdx.x;
    if (i < n || (buggy && i == n)) x[i] = i;  // bug: writes past the end.
}

KERNEL before_the_start(bool buggy, const float* x, float* y) {
    int i = threadIdx.x;
    float left = i > 0 || buggy ? x[i - 1] : 0;  // bug: reads before the start.
    y[i] = left;
}

KERNEL shared_past_the_end(bool buggy, float* y) {
    __shared__ float a[32];
    __shared__ float b[32];
    int i = threadIdx.x;
    b[i] = i;
    a[buggy ? i + 1 : i] = i;  // bug: into the next array.
    __syncthreads();
    y[i] = a[31 - i] + b[i];
}

KERNEL null_pointer(bool buggy, float* y, float* nothing) {
    float* to = buggy ? nothing : y;
    to[threadIdx.x] = 1;  // bug: through null.
}

KERNEL misaligned(bool buggy, const float* x, float* y) {
    float4 four = *(const float4*)(x + (buggy ? 2 : 4));  // bug: starts between two vectors.
    y[threadIdx.x] = four.x + four.y + four.z + four.w;
}

KERNEL uninitialised_output(bool buggy, float* y) {
    int i = threadIdx.x;
    if (!buggy) y[i] = 0;
    y[i] += 1;  // bug: adds to what nobody wrote.
}

KERNEL uninitialised_shared(bool buggy, float* y) {
    __shared__ float a[64];
    int i = threadIdx.x;
    a[i] = i;
    if (!buggy) a[i + 32] = i;
    __syncthreads();
    y[i] = a[63 - i];  // bug: reads what nobody wrote.
}

KERNEL uninitialised_local(bool buggy, float* y, int n) {
    float mine[8];
    for (int i = buggy ? 1 : 0; i < n; ++i) mine[i] = i;
    y[threadIdx.x] = mine[threadIdx.x % n];  // bug: mine[0] is missing.
}

KERNEL missing_barrier(bool buggy, float* y) {
    __shared__ float a[64];
    int i = threadIdx.x;
    a[i] = i;
    if (!buggy) __syncthreads();
    y[i] = a[63 - i];  // bug: the other warp may not have written it.
}

KERNEL barrier_too_late(bool buggy, float* y) {
    __shared__ float a[64];
    int i = threadIdx.x;
    float sum = 0;
    for (int round = 0; round < 2; ++round) {
        a[i] = i + round;  // bug: the last round's readers may not be done.
        __syncthreads();
        sum += a[63 - i];
        if (!buggy) __syncthreads();
    }
    y[i] = sum;
}

KERNEL warp_without_sync(bool buggy, int* y) {
    __shared__ int a[32];
    int i = threadIdx.x;
    a[i] = i;
    if (!buggy) __syncwarp();
    y[i] = a[31 - i];  // bug: lanes are not in lockstep.
}

KERNEL same_element(bool buggy, int* y) {
    int i = threadIdx.x;
    y[buggy ? i / 2 : i] = i;  // bug: two lanes write one element.
}

KERNEL between_blocks(bool buggy, int* y) {
    int i = blockIdx.x;
    y[i] = i;
    if (buggy) y[(i + 1) % gridDim.x] = i;  // bug: another block's element.
}

KERNEL counts_without_atomic(bool buggy, int* count) {
    if (buggy)
        *count = *count + 1;  // bug: lost updates.
    else
        atomicAdd(count, 1);
}

KERNEL skipped_barrier(bool buggy, float* y) {
    __shared__ float a[64];
    int i = threadIdx.x;
    a[i] = i;
    if (buggy && i >= 60) return;
    __syncthreads();  // bug: some threads do not come.
    y[i] = a[i];
}

KERNEL two_barriers(bool buggy, float* y) {
    int i = threadIdx.x;
    y[i] = i;
    if (buggy && i < 32) {
        __syncthreads();
        y[i] += 1;
    } else {
        __syncthreads();  // bug: others wait elsewhere.
        y[i] += 2;
    }
}

KERNEL endless(bool buggy, volatile int* flag, int* y) {
    while (buggy && *flag == 0) {  // bug: nobody sets it.
    }
    y[threadIdx.x] = 1;
}

KERNEL missing_fence(bool buggy, volatile int* flag, float* data, float* y) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        data[0] = 5;
        if (!buggy) __threadfence();
        *flag = 1;
    } else {
        while (*flag == 0) {
        }
        __threadfence();
        y[0] = data[0];  // bug: the flag may come before the data.
    }
}

KERNEL missing_wait(bool buggy, const float4* x, float4* y) {
    __shared__ float4 a[32];
    int i = threadIdx.x;
    unsigned to = (unsigned)__cvta_generic_to_shared(&a[i]);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(to), "l"(x + i) : "memory");
    asm volatile("cp.async.commit_group;" ::: "memory");
    if (!buggy) asm volatile("cp.async.wait_group 0;" ::: "memory");
    y[i] = a[i];  // bug: the copy may not be there.
}
