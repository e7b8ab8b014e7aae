// expect: status 4
// expect: , 1 finding
// expect: unsynchronised pinned_written_while_read.cu:19 the host: writes byte 0 of host, which the kernel sum may still be reading
#include <cstdio>

__global__ void sum(const int *x, int *result) {
    atomicAdd(result, x[threadIdx.x]);
}

int main() {
    int *host, *result, n = 4096, is = 0;
    cudaMallocHost((void **)&host, n * sizeof(int));
    for (int i = 0; i < n; ++i)
        host[i] = i;
    cudaMalloc((void **)&result, sizeof(int));
    cudaMemset(result, 0, sizeof(int));
    sum<<<1, 1024>>>(host, result);
    host[n - 1] = 7;  // the kernel has not read it
    host[0] = 8;      // but this
    cudaMemcpy(&is, result, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", is);
    cudaFree(result);
    cudaFreeHost(host);
}
