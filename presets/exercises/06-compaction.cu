//! title: Stream compaction with ballot and popc
//! task: Each warp writes the elements that are not zero one after the other to the beginning of its 32 places in
//!     kept, and how many there are to count. The order stays. The other places stay zero.
//! hint: __ballot_sync(0xffffffff, value != 0) has a bit for each lane that keeps its element.
//! hint: A lane's place is the number of bits below its own: __popc(ballot & ((1u << lane) - 1)).
//! check: warp_operations > 0 | use __ballot_sync: the lanes of a warp can tell one another without memory.
// convscope: grid = 4, block = 64, x = sparse(256), kept = zeros(256), count = out(8)
__global__ void compact(const float* x, float* kept, int* count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    float value = x[i];
#ifdef SOLUTION
    unsigned ballot = __ballot_sync(0xffffffff, value != 0);
    if (value != 0) kept[i - lane + __popc(ballot & ((1u << lane) - 1))] = value;
    if (lane == 0) count[i / 32] = __popc(ballot);
#else
    // Your part: where does this lane's value go, if it is kept at all?
    if (value != 0) kept[i] = value;
#endif
}
