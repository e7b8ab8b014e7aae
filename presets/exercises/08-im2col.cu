//! title: im2col
//! task: One map of h x h, windows of r x r, p = h - r + 1 of them in each direction. Row i of cols is the i-th
//!     element of every window: cols[a * r + b][y * p + x] = map[y + a][x + b].
//! hint: The thread's column is window y * p + x; it has r * r elements to copy.
//! hint: Window (y, x) begins at map[y * h + x].
// convscope: h = 20, r = 3, grid = ceil((h-r+1)*(h-r+1)/64), block = 64
// convscope: map = random(h, h), cols = out(r*r, (h-r+1)*(h-r+1))
__global__ void im2col(const float* map, float* cols, int h, int r) {
    int p = h - r + 1, window = blockIdx.x * blockDim.x + threadIdx.x;
    if (window >= p * p) return;
        // Your part: copy the window's elements into its column.
#ifdef SOLUTION
    int y = window / p, x = window % p;
    for (int a = 0; a < r; ++a)
        for (int b = 0; b < r; ++b) cols[(a * r + b) * p * p + window] = map[(y + a) * h + x + b];
#endif
}
