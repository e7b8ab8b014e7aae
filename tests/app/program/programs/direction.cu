// expect: status 4, 1 finding
// expect: host_pointer direction.cu:13 cudaMemcpy: says cudaMemcpyHostToDevice, and what it copies to is memory of the host
#include <cstdio>

__global__ void iota(int *v) {
    v[threadIdx.x] = threadIdx.x;
}

int main() {
    int h[32] = {}, *d;
    cudaMalloc(&d, sizeof h);
    iota<<<1, 32>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyHostToDevice);
    printf("%d\n", h[31]);
    cudaFree(d);
}
