// Transposes through a tile in shared memory, padded against bank conflicts.
constexpr int tile_size = 32, block_rows = 8;

extern "C" __global__ void transpose(const float* in, float* out, int width, int height) {
    __shared__ float tile[tile_size][tile_size + 1];
    int x = blockIdx.x * tile_size + threadIdx.x;
    int y = blockIdx.y * tile_size + threadIdx.y;
    for (int j = 0; j < tile_size; j += block_rows)
        if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
    __syncthreads();
    x = blockIdx.y * tile_size + threadIdx.x;
    y = blockIdx.x * tile_size + threadIdx.y;
    for (int j = 0; j < tile_size; j += block_rows)
        if (x < height && y + j < width) out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}
