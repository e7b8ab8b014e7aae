//! title: Inclusive scan
//! task: out[i] is the sum of in[0] to in[i]. In the round with distance d every thread adds the element d places
//!     before its own: d = 1, 2, 4, ... (Hillis and Steele).
//! hint: Read the element d places before, wait at a barrier, add it, wait at a barrier: else a thread reads what
//!     another has changed already.
//! hint: Threads with t < d add nothing, but they come to both barriers.
// convscope: grid = 1, block = 256, in = random(256), out = out(256)
__global__ void scan(const int* in, int* out) {
    __shared__ int sum[256];
    int t = threadIdx.x;
    sum[t] = in[t];
    __syncthreads();
    // Your part: the rounds.
#ifdef SOLUTION
    for (int d = 1; d < 256; d *= 2) {
        int before = t >= d ? sum[t - d] : 0;
        __syncthreads();
        sum[t] += before;
        __syncthreads();
    }
#endif
    out[t] = sum[t];
}
