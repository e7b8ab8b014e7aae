// Scales a vector that comes through shared memory in two stages, one being copied while the other is used.
#include <cuda_pipeline.h>

constexpr int threads = 128;

extern "C" __global__ void pipeline(const float4* in, float4* out, int stages) {
    __shared__ float4 buffer[2][threads];
    int t = threadIdx.x, base = blockIdx.x * stages * threads;
    __pipeline_memcpy_async(&buffer[0][t], &in[base + t], sizeof(float4));
    __pipeline_commit();
    for (int i = 0; i < stages; ++i) {
        if (i + 1 < stages)
            __pipeline_memcpy_async(&buffer[(i + 1) % 2][t], &in[base + (i + 1) * threads + t], sizeof(float4));
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        float4 value = buffer[i % 2][threads - 1 - t];
        out[base + i * threads + t] = make_float4(2 * value.x, 2 * value.y, 2 * value.z, 2 * value.w);
        __syncthreads();
    }
}
