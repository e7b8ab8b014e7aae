// expect: status 5
// flags: --timeout 4
// expect: wait launched at never_ends.cu:15: the kernel did not end within 3 s: 0 of 1 blocks were done, and thread (0,0,0) of block (0,0,0) was at never_ends.cu:7
#include <cstdio>
__global__ void wait(volatile int *flag) {
    // nobody ever sets it
    while (*flag == 0) {
    }
}

int main() {
    int *flag;
    cudaMalloc(&flag, sizeof(int));
    cudaMemset(flag, 0, sizeof(int));
    wait<<<1, 32>>>(flag);
    cudaError_t e = cudaDeviceSynchronize();
    printf("%s\n", cudaGetErrorName(e));
    cudaFree(flag);
}
