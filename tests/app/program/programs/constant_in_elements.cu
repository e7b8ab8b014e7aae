// A size in elements where CUDA takes bytes: the rest of the filter stays zero, which is no fault by itself.
// expect: status 0
// expect: constant_in_elements.cu:20 cudaMemcpyToSymbol copies 7 bytes to filter, which has 28: sizes are in bytes, and 7 elements of 4 have 28
// expect-output: 1
#include <cstdio>

constexpr int taps = 7;
__constant__ float filter[taps];

__global__ void sum(float* out) {
    float all = 0;
    for (int i = 0; i < taps; ++i) all += filter[i];
    *out = all;
}

int main() {
    const float ones[taps] = {1, 1, 1, 1, 1, 1, 1};
    float *device, host;
    cudaMalloc(&device, sizeof(float));
    cudaMemcpyToSymbol(filter, ones, taps);
    sum<<<1, 1>>>(device);
    cudaMemcpy(&host, device, sizeof host, cudaMemcpyDeviceToHost);
    printf("%g\n", host);
    cudaFree(device);
}
