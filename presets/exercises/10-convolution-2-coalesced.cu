//! title: Convolution, step 2: neighbours read neighbours
//! task: This one is right, but the lanes of a warp work on outputs of different rows, so each load moves a sector
//!     for each lane. Let lanes side by side compute outputs side by side.
//! hint: Of i and j, which one should grow from one lane to the next?
//! hint: j, the column: exchange the two in how they come from blockIdx and threadIdx.
//! check: global_load_sectors <= 1.2 * solution_global_load_sectors | its loads still move several times as many
//!     sectors as they need.
// convscope: h = 66, r = 3, grid = (2, h-r+1), block = 32, map = random(h, h), w = random(r, r), y = out(h-r+1, h-r+1)
__global__ void convolve(const float* map, const float* w, float* y, int h, int r) {
    int p = h - r + 1;
#ifdef SOLUTION
    int i = blockIdx.y, j = blockIdx.x * 32 + threadIdx.x;
#else
    int i = blockIdx.x * 32 + threadIdx.x, j = blockIdx.y;
#endif
    if (i >= p || j >= p) return;
    float sum = 0;
    for (int a = 0; a < r; ++a)
        for (int b = 0; b < r; ++b) sum += map[(i + a) * h + j + b] * w[a * r + b];
    y[i * p + j] = sum;
}
