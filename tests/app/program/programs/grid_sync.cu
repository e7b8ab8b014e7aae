// Steps of a stencil and a sum over the whole grid, between which grid.sync() stands; with few blocks, and with more
// than the checks of races tell apart by number. A barrier of the program's own does the same.
// expect: status 0
// expect-output: 20 blocks: right, 150 blocks: right, by hand: right
#include <cooperative_groups.h>

#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

constexpr int threads = 64, steps = 4;

__global__ void smooth(int* from, int* to, int* partial, int* sum) {
    cg::grid_group grid = cg::this_grid();
    __shared__ int in_block[threads];
    const int n = static_cast<int>(grid.size()), i = static_cast<int>(grid.thread_rank());
    from[i] = i % 17;
    grid.sync();
    for (int step = 0; step < steps; ++step) {
        to[i] = from[(i + n - 1) % n] + from[(i + 1) % n];
        grid.sync();
        int* const old = from;
        from = to;
        to = old;
    }
    in_block[threadIdx.x] = from[n - 1 - i];
    for (int half = threads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) in_block[threadIdx.x] += in_block[threadIdx.x + half];
    }
    if (threadIdx.x == 0) partial[blockIdx.x] = in_block[0];
    cg::sync(grid);
    if (i == 0) {
        *sum = 0;
        for (unsigned block = 0; block < gridDim.x; ++block) *sum += partial[block];
    }
}

/// Each block adds what the one before it has, once that is there.
__global__ void chain(volatile int* sums, int* flags) {
    if (threadIdx.x != 0) return;
    int before = 0;
    if (blockIdx.x + 1 < gridDim.x) {
        while (atomicAdd(&flags[blockIdx.x + 1], 0) == 0) {
        }
        __threadfence();
        before = sums[blockIdx.x + 1];
    }
    sums[blockIdx.x] = before + static_cast<int>(blockIdx.x);
    __threadfence();
    atomicExch(&flags[blockIdx.x], 1);
}

const char* check(int blocks) {
    const int n = blocks * threads;
    std::vector<int> from(n), to(n);
    for (int i = 0; i < n; ++i) from[i] = i % 17;
    for (int step = 0; step < steps; ++step) {
        for (int i = 0; i < n; ++i) to[i] = from[(i + n - 1) % n] + from[(i + 1) % n];
        from.swap(to);
    }
    int expected = 0, result = 0;
    for (const int each : from) expected += each;
    int *a, *b, *partial, *sum;
    cudaMalloc(&a, n * sizeof(int));
    cudaMalloc(&b, n * sizeof(int));
    cudaMalloc(&partial, blocks * sizeof(int));
    cudaMalloc(&sum, sizeof(int));
    void* arguments[] = {&a, &b, &partial, &sum};
    cudaLaunchCooperativeKernel(smooth, blocks, threads, arguments);
    cudaMemcpy(&result, sum, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(a);
    cudaFree(b);
    cudaFree(partial);
    cudaFree(sum);
    return result == expected ? "right" : "wrong";
}

const char* check_chain() {
    constexpr int blocks = 12;
    int *sums, *flags, result = 0;
    cudaMalloc(&sums, blocks * sizeof(int));
    cudaMalloc(&flags, blocks * sizeof(int));
    cudaMemset(flags, 0, blocks * sizeof(int));
    void* arguments[] = {&sums, &flags};
    cudaLaunchCooperativeKernel(chain, blocks, 32, arguments);
    cudaMemcpy(&result, sums, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(sums);
    cudaFree(flags);
    return result == blocks * (blocks - 1) / 2 ? "right" : "wrong";
}

int main() {
    printf("20 blocks: %s, 150 blocks: %s, by hand: %s\n", check(20), check(150), check_chain());
}
