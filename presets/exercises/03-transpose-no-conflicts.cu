//! title: Transpose without bank conflicts
//! task: A warp that reads a column of a tile of 32 x 32 floats wants 32 words of one bank: 32 wavefronts. Change the
//!     tile so that a column lies in 32 banks.
//! hint: Element [y][x] of a tile with rows of 32 floats is in bank x. Of which bank would it be with rows of 33?
//! hint: One column more that nobody uses: float tile[32][33].
//! check: bank_conflicts == 0 | some requests to shared memory still take more than one wavefront.
// convscope: n = 64, grid = (n/32, n/32), block = (32, 32), in = random(n, n), out = out(n, n)
__global__ void transpose(const float* in, float* out, int n) {
#ifdef SOLUTION
    __shared__ float tile[32][33];
#else
    __shared__ float tile[32][32];
#endif
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    out[y * n + x] = tile[threadIdx.x][threadIdx.y];
}
