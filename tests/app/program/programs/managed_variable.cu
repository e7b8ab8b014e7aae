// needs nvcc: clang has no __managed__
// expect: status 0
// expect-output: 32 7
#include <cstdio>

__managed__ int counter;
__device__ __managed__ int step = 7;

__global__ void count() {
    atomicAdd(&counter, 1);
}

int main() {
    count<<<1, 32>>>();
    cudaDeviceSynchronize();
    printf("%d %d\n", counter, step);
}
