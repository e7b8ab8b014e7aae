//! title: Asynchronous copies, two tiles in turn
//! task: A block goes through tiles of 128 floats. While it works on one, the next is copied to the other half of
//!     shared memory. Waits are missing: put them where they are needed, and let the next copy go on meanwhile.
//! hint: __pipeline_wait_prior(1) waits for all of a thread's groups but the last one. Which tile is in the last one?
//! hint: It waits for this thread's own copies. A barrier behind it shows them to the others, which read them.
//! hint: The copy of the next round overwrites the half that is read in this one. Who must have finished by then?
// convscope: tiles = 6, grid = 2, block = 128, x = random(1536), y = out(1536)
#include <cuda_pipeline.h>

__global__ void smooth(const float* x, float* y, int tiles) {
    __shared__ float tile[2][128];
    int t = threadIdx.x, base = blockIdx.x * tiles * 128;
    __pipeline_memcpy_async(&tile[0][t], &x[base + t], sizeof(float));
    __pipeline_commit();
    for (int i = 0; i < tiles; ++i) {
        if (i + 1 < tiles) __pipeline_memcpy_async(&tile[(i + 1) % 2][t], &x[base + (i + 1) * 128 + t], sizeof(float));
        __pipeline_commit();
#ifdef SOLUTION
        __pipeline_wait_prior(1);
        __syncthreads();
#else
        // Your part: tile i must have arrived, for this thread and for its neighbour.
#endif
        y[base + i * 128 + t] = 0.5f * (tile[i % 2][t] + tile[i % 2][(t + 1) % 128]);
#ifdef SOLUTION
        __syncthreads();
#else
        // Your part: nobody may read tile i any more when the next copy overwrites it.
#endif
    }
}
