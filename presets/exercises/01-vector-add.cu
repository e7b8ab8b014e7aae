//! title: Vector add
//! task: Each thread adds one element of a and b into c. The last block has more threads than there are elements
//!     left.
//! hint: A thread's element is blockIdx.x * blockDim.x + threadIdx.x.
//! hint: Threads whose element is n or more must not touch the arrays: if (i < n) ...
// convscope: n = 1000, grid = ceil(n/256), block = 256, a = random(n), b = random(n), c = out(n)
__global__ void vector_add(const float* a, const float* b, float* c, int n) {
    // Your part: which element is this thread's, and is there one?
#ifdef SOLUTION
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
#endif
}
