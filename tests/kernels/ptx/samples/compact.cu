// Stream compaction: keeps what is not zero. Each warp counts by ballot and popc, and takes room by one atomic
// addition.
extern "C" __global__ void compact(const float* x, float* kept, int* count, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = i < n ? x[i] : 0;
    unsigned ballot = __ballot_sync(0xffffffff, value != 0);
    int lane = threadIdx.x & 31;
    int before = __popc(ballot & ((1u << lane) - 1));
    int base = 0;
    if (lane == 0 && ballot != 0) base = atomicAdd(count, __popc(ballot));
    base = __shfl_sync(0xffffffff, base, 0);
    if (value != 0) kept[base + before] = value;
}
