// expect: status 4, 4 findings
// expect: pipeline_no_wait.cu:18 block (0,0,0)
// The next stage is copied to shared memory while this one is added up.
#include <cstdio>
#include <cuda_pipeline.h>

__global__ void sums(const float4 *in, float *out, int stages) {
    __shared__ float4 stage[2][32];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&stage[0][t], &in[t], sizeof(float4));
    __pipeline_commit();
    float total = 0;
    for (int i = 0; i < stages; ++i) {
        if (i + 1 < stages) __pipeline_memcpy_async(&stage[(i + 1) % 2][t], &in[(i + 1) * 32 + t], sizeof(float4));
        __pipeline_commit();
        // __pipeline_wait_prior(1);
        __syncthreads();
        float4 v = stage[i % 2][31 - t];
        total += v.x + v.y + v.z + v.w;
        __syncthreads();
    }
    out[t] = total;
}

int main() {
    static float host[4 * 32 * 4];
    float part[32], total = 0, *in, *out;
    for (int i = 0; i < 512; ++i) host[i] = i;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof part);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    sums<<<1, 32>>>((float4 *)in, out, 4);
    cudaMemcpy(part, out, sizeof part, cudaMemcpyDeviceToHost);
    for (float p : part) total += p;
    std::printf("%g\n", total);
    cudaFree(in);
    cudaFree(out);
}
