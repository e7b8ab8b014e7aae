// Sums a vector: each warp by shuffles, the block's warps through shared memory, the blocks by an atomic addition.
__device__ float warp_sum(float value) {
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffff, value, offset);
    return value;
}

extern "C" __global__ void reduce(const float* x, float* sum, int n) {
    __shared__ float partial[32];
    float mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) mine += x[i];
    mine = warp_sum(mine);
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (lane == 0) partial[warp] = mine;
    __syncthreads();
    if (warp == 0) {
        mine = lane < blockDim.x / 32 ? partial[lane] : 0;
        mine = warp_sum(mine);
        if (lane == 0) atomicAdd(sum, mine);
    }
}
