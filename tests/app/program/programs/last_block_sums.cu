// expect: status 0
// expect-output: 512 512
#include <cstdio>
#include <vector>

// The block that takes the last ticket adds the others' sums up, and sets the tickets back for the next launch.
__device__ unsigned tickets;

__global__ void sum(const float *x, float *partial, float *result) {
    __shared__ float sums[64];
    __shared__ bool is_last;
    unsigned t = threadIdx.x;
    sums[t] = x[blockIdx.x * 64 + t];
    __syncthreads();
    for (unsigned half = 32; half > 0; half /= 2) {
        if (t < half)
            sums[t] += sums[t + half];
        __syncthreads();
    }
    if (t == 0) {
        partial[blockIdx.x] = sums[0];
        __threadfence();
        is_last = atomicAdd(&tickets, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last && t == 0) {
        float all = 0;
        for (unsigned block = 0; block < gridDim.x; ++block)
            all += ((volatile float *)partial)[block];
        *result = all;
        tickets = 0;
    }
}

int main() {
    const int blocks = 8, n = 64 * blocks;
    std::vector<float> ones(n, 1.0f);
    float *x, *partial, *result, is[2];
    cudaMalloc(&x, n * sizeof(float));
    cudaMalloc(&partial, blocks * sizeof(float));
    cudaMalloc(&result, sizeof(float));
    cudaMemcpy(x, ones.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    for (float &each : is) {
        sum<<<blocks, 64>>>(x, partial, result);
        cudaMemcpy(&each, result, sizeof(float), cudaMemcpyDeviceToHost);
    }
    printf("%g %g\n", is[0], is[1]);
    cudaFree(x);
    cudaFree(partial);
    cudaFree(result);
}
