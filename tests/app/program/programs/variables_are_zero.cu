// expect: status 0
// expect-output: 32 0
#include <cstdio>

__device__ int counter;
__constant__ int offset;

__global__ void count(int *out) {
    atomicAdd(&counter, 1 + offset);
    __syncthreads();
    if (threadIdx.x == 0) {
        out[0] = counter;
        out[1] = offset;
    }
}

int main() {
    int *out, host[2];
    cudaMalloc(&out, sizeof host);
    count<<<1, 32>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d %d\n", host[0], host[1]);
    cudaFree(out);
}
