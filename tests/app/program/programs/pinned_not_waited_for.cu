// expect: status 4, 1 finding
// expect: unsynchronised pinned_not_waited_for.cu:20 the host: reads byte 0 of host, which cudaMemcpyAsync may still be writing
#include <cstdio>

__global__ void fill(int *x) {
    x[threadIdx.x] = threadIdx.x + 1;
}

int main() {
    int *host, *dev;
    cudaHostAlloc((void **)&host, 64 * sizeof(int), cudaHostAllocDefault);
    cudaMalloc((void **)&dev, 64 * sizeof(int));
    cudaStream_t s;
    cudaStreamCreate(&s);
    fill<<<1, 64, 0, s>>>(dev);
    cudaMemcpyAsync(host, dev, 64 * sizeof(int), cudaMemcpyDeviceToHost, s);
    // cudaStreamSynchronize(s);
    int sum = 0;
    for (int i = 0; i < 64; ++i)
        sum += host[i];
    printf("%d\n", sum);
    cudaStreamDestroy(s);
    cudaFree(dev);
    cudaFreeHost(host);
}
