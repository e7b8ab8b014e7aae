//! title: Convolution, step 1: a thread for each output
//! task: One map of h x h, one filter of r x r, stride 1: y[i][j] is the sum of map[i + a][j + b] * w[a][b].
//! hint: p = h - r + 1 outputs in each direction; the thread's is row blockIdx.y, column blockIdx.x * blockDim.x +
//!     threadIdx.x.
//! hint: Two loops, a and b from 0 to r - 1, add up the products in a local variable.
// convscope: h = 66, r = 3, grid = (2, h-r+1), block = 32, map = random(h, h), w = random(r, r), y = out(h-r+1, h-r+1)
__global__ void convolve(const float* map, const float* w, float* y, int h, int r) {
    int p = h - r + 1, i = blockIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= p) return;
        // Your part: the sum of this thread's window.
#ifdef SOLUTION
    float sum = 0;
    for (int a = 0; a < r; ++a)
        for (int b = 0; b < r; ++b) sum += map[(i + a) * h + j + b] * w[a * r + b];
    y[i * p + j] = sum;
#endif
}
