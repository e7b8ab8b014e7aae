//! title: Tiled matrix product
//! task: c = a b for matrices of n x n. Without shared memory each element of a and b is loaded n times. Load tiles
//!     of 16 x 16 once for the whole block, and multiply from there.
//! hint: For each tile along the row: every thread loads one element of each tile, a barrier, 16 multiply-adds, a
//!     barrier.
//! hint: Without the second barrier, a warp that is ahead overwrites a tile that another still reads.
//! check: global_load_requests <= 1.2 * solution_global_load_requests | there are more loads from global memory
//!     than the tiles need.
// convscope: n = 64, grid = (n/16, n/16), block = (16, 16), a = random(n, n), b = random(n, n), c = out(n, n)
__global__ void matmul(const float* a, const float* b, float* c, int n) {
    __shared__ float tile_a[16][16], tile_b[16][16];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    float sum = 0;
#ifdef SOLUTION
    for (int t = 0; t < n; t += 16) {
        tile_a[threadIdx.y][threadIdx.x] = a[y * n + t + threadIdx.x];
        tile_b[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + x];
        __syncthreads();
        for (int i = 0; i < 16; ++i) sum += tile_a[threadIdx.y][i] * tile_b[i][threadIdx.x];
        __syncthreads();
    }
#else
    // Your part: tile by tile. This works, and loads everything n times.
    for (int i = 0; i < n; ++i) sum += a[y * n + i] * b[i * n + x];
#endif
    c[y * n + x] = sum;
}
