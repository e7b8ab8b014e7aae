//! title: Convolution, step 3: a tile in shared memory
//! task: Windows overlap: with 3 x 3 each element is loaded nine times. Load the 18 x 18 elements that a block of
//!     16 x 16 outputs needs into shared memory once, then compute from there.
//! hint: 256 threads load 324 elements: for (int e = threadIdx.y * 16 + threadIdx.x; e < 18 * 18; e += 256).
//! hint: Element e of the tile is row e / 18, column e % 18; a barrier must stand between loading and computing.
//! check: global_load_requests <= 1.3 * solution_global_load_requests | elements of the map are still loaded
//!     several times.
// convscope: grid = (4, 4), block = (16, 16), map = random(66, 66), w = random(3, 3), y = out(64, 64)
__global__ void convolve(const float* map, const float* w, float* y) {
    __shared__ float tile[18][18];
    int top = blockIdx.y * 16, left = blockIdx.x * 16;
    float sum = 0;
#ifdef SOLUTION
    for (int e = threadIdx.y * 16 + threadIdx.x; e < 18 * 18; e += 256)
        tile[e / 18][e % 18] = map[(top + e / 18) * 66 + left + e % 18];
    __syncthreads();
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) sum += tile[threadIdx.y + a][threadIdx.x + b] * w[a * 3 + b];
#else
    // Your part: load the tile, then take the products from it.
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) sum += map[(top + threadIdx.y + a) * 66 + left + threadIdx.x + b] * w[a * 3 + b];
#endif
    y[(top + threadIdx.y) * 64 + left + threadIdx.x] = sum;
}
