// expect: status 0
// expect: checked_load.cu:8: the load is not atomic; it counts as such, because a compare-and-swap checks its value
// expect-output: 2016
#include <cstdio>

__global__ void add(int *total) {
    int expected;
    int seen = *total;
    do {
        expected = seen;
        seen = atomicCAS(total, expected, expected + int(threadIdx.x));
    } while (seen != expected);
}

int main() {
    int *total, host;
    cudaMalloc(&total, sizeof host);
    cudaMemset(total, 0, sizeof host);
    add<<<1, 64>>>(total);
    cudaMemcpy(&host, total, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d\n", host);
    cudaFree(total);
}
