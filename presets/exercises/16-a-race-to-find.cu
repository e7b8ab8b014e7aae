//! title: A race to find
//! task: Each block smooths its 256 elements: every element becomes the mean of itself and the one before it, twice
//!     over. Most of the time it looks right. Find where two threads touch a place without a barrier between them.
//! hint: In the second round, a thread reads what its neighbour may not have written yet.
//! hint: Two barriers are missing: one after the values are read and before they are replaced, one before the next
//!     round reads.
// convscope: grid = 2, block = 256, x = random(512), y = out(512)
__global__ void smooth(const float* x, float* y) {
    __shared__ float s[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    s[t] = x[i];
    __syncthreads();
    for (int round = 0; round < 2; ++round) {
        float mean = t > 0 ? (s[t - 1] + s[t]) / 2 : s[t];
#ifdef SOLUTION
        __syncthreads();
#endif
        s[t] = mean;
#ifdef SOLUTION
        __syncthreads();
#endif
    }
    y[i] = s[t];
}
