// A word that two blocks write after the same grid.sync(), one of them before the next; a block that does not come; a
// launch that is not cooperative, and one that the GPU does not hold.
// expect: status 4, 6 findings
// expect: race grid_sync_bugs.cu:18 block (1,0,0) thread (0,0,0) a[0]: writes it, and blocks of one launch have no order; block (0,0,0) thread (0,0,0) writes it at grid_sync_bugs.cu:17
// expect: divergent_barrier grid_sync_bugs.cu:26 block (1,0,0) thread (0,0,0): waits at the grid's barrier for blocks that never come; block (0,0,0) thread (0,0,0) has left the kernel at grid_sync_bugs.cu:27
// expect: assertion grid_sync_bugs.cu:26 block (0,0,0) thread (0,0,0): calls grid.sync() in a launch that is not cooperative; cudaLaunchCooperativeKernel() makes one
// expect: invalid_launch grid_sync_bugs.cu:36 cudaLaunchCooperativeKernel: launches 100000 blocks cooperatively, and the
// expect-output: too many blocks in cooperative launch
#include <cooperative_groups.h>

#include <cstdio>

__global__ void overlaps(int* a) {
    auto grid = cooperative_groups::this_grid();
    a[blockIdx.x] = 1;
    grid.sync();
    a[blockIdx.x] = 2;
    if (blockIdx.x > 0) a[blockIdx.x - 1] = 3;
    grid.sync();
    a[gridDim.x - 1 - blockIdx.x] = 4;
}

__global__ void one_leaves(int* a) {
    auto grid = cooperative_groups::this_grid();
    if (blockIdx.x == 0 && a) return;
    grid.sync();
}

int main() {
    int *a, *none = nullptr;
    cudaMalloc(&a, 100 * sizeof(int));
    void *arguments[] = {&a}, *null_arguments[] = {&none};
    cudaLaunchCooperativeKernel(overlaps, 20, 1, arguments);
    cudaLaunchCooperativeKernel(overlaps, 100, 1, arguments);
    cudaLaunchCooperativeKernel(one_leaves, 4, 64, arguments);
    printf("%s\n", cudaGetErrorString(cudaLaunchCooperativeKernel(one_leaves, 100000, 64, null_arguments)));
    one_leaves<<<4, 64>>>(nullptr);
    cudaDeviceSynchronize();
    cudaFree(a);
}
