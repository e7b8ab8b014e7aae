//! title: Reduction
//! task: The block adds up its 256 elements and writes one sum for the block: halve the number of elements in
//!     shared memory until one is left.
//! hint: With s = 128, 64, ..., 1, the threads below s add element t + s to element t.
//! hint: All threads of the block must come to the barrier in each round, also those that add nothing.
//! check: barriers > 8 | the halves must be added in rounds, with a barrier between them: one thread that adds all
//!     elements keeps 255 waiting.
// convscope: grid = 4, block = 256, x = random(1024), sums = out(4)
__global__ void reduce(const float* x, float* sums) {
    __shared__ float part[256];
    int t = threadIdx.x;
    part[t] = x[blockIdx.x * 256 + t];
    // Your part: add up part[0] to part[255] into part[0].
#ifdef SOLUTION
    for (int s = 128; s > 0; s /= 2) {
        __syncthreads();
        if (t < s) part[t] += part[t + s];
    }
#endif
    if (t == 0) sums[blockIdx.x] = part[0];
}
