// expect: status 4, 1 finding
// expect: unsynchronised freed_in_a_stream.cu:18 the host: reads byte 0 of x, which the kernel fill may still be writing
#include <cstdio>

__device__ int base = 1;

__global__ void fill(int *x) {
    x[threadIdx.x] = threadIdx.x + base;
}

int main() {
    int *x, *other;
    cudaMallocManaged(&x, 64 * sizeof(int));
    cudaMallocAsync(&other, 64 * sizeof(int), 0);
    fill<<<1, 64>>>(x);
    cudaFreeAsync(other, 0);
    // cudaDeviceSynchronize();
    printf("%d\n", *x);
    cudaFree(x);
}
