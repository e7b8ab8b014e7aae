//! title: Transpose through shared memory
//! task: out[x][y] = in[y][x]. Reading rows and writing columns moves a sector for each element; go through a tile
//!     in shared memory, so that both reading and writing move whole rows.
//! hint: Write tile[threadIdx.y][threadIdx.x] from a row of the input, wait at a barrier, read
//!     tile[threadIdx.x][threadIdx.y].
//! hint: The block's place in the output is turned, too: column blockIdx.y * 32 + threadIdx.x, row blockIdx.x * 32
//!     + threadIdx.y.
//! check: global_store_sectors <= 1.1 * solution_global_store_sectors | the stores move more sectors than they
//!     write: lanes side by side must write elements side by side.
// convscope: n = 64, grid = (n/32, n/32), block = (32, 32), in = random(n, n), out = out(n, n)
__global__ void transpose(const float* in, float* out, int n) {
    __shared__ float tile[32][32];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
#ifdef SOLUTION
    tile[threadIdx.y][threadIdx.x] = in[y * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    out[y * n + x] = tile[threadIdx.x][threadIdx.y];
#else
    // It is right, and moves eight times as many sectors as it writes. Your part: use the tile.
    out[x * n + y] = in[y * n + x];
#endif
}
