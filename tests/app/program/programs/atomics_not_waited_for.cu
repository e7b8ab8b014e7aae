// expect: status 4, 1 finding
// expect: unsynchronised atomics_not_waited_for.cu:15 the host: reads byte 4 of total, which the kernel add
#include <cstdio>

__global__ void add(int *total) {
    atomicAdd(&total[1], 1);
}

int main() {
    int *total;
    cudaMallocManaged(&total, 2 * sizeof(int));
    total[0] = total[1] = 0;
    add<<<2, 64>>>(total);
    // cudaDeviceSynchronize();
    printf("%d\n", total[1]);
    cudaFree(total);
}
