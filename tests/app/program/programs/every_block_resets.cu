// expect: status 4, 2 findings
// expect: race every_block_resets.cu:11
// Any block sets the tickets back while others take theirs.
#include <cstdio>

__device__ unsigned tickets;

__global__ void take(unsigned *mine) {
    if (threadIdx.x == 0) {
        mine[blockIdx.x] = atomicAdd(&tickets, 1);
        tickets = 0;
    }
}

int main() {
    unsigned *mine;
    cudaMalloc(&mine, 8 * sizeof(unsigned));
    take<<<8, 32>>>(mine);
    cudaDeviceSynchronize();
    cudaFree(mine);
}
