// expect: status 0
// expect: cudaEventElapsedTime gives 0
// Two streams with pinned memory and events.
#include <cstdio>

__global__ void scale(float *x, int n, float by) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= by;
}

int main() {
    const int n = 512, parts = 2;
    float *host, *dev;
    cudaMallocHost(&host, parts * n * sizeof(float));
    cudaMalloc(&dev, parts * n * sizeof(float));
    for (int i = 0; i < parts * n; ++i) host[i] = i;
    cudaStream_t streams[parts];
    cudaEvent_t start, stop;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaEventRecord(start);
    for (int s = 0; s < parts; ++s) {
        cudaStreamCreate(&streams[s]);
        float *h = host + s * n, *d = dev + s * n;
        cudaMemcpyAsync(d, h, n * sizeof(float), cudaMemcpyHostToDevice, streams[s]);
        scale<<<n / 128, 128, 0, streams[s]>>>(d, n, 2.f);
        cudaMemcpyAsync(h, d, n * sizeof(float), cudaMemcpyDeviceToHost, streams[s]);
    }
    for (int s = 0; s < parts; ++s) {
        cudaStreamSynchronize(streams[s]);
        for (int i = s * n; i < (s + 1) * n; ++i)
            if (host[i] != 2.f * i) return 1;
        cudaStreamDestroy(streams[s]);
    }
    cudaEventRecord(stop);
    cudaEventSynchronize(stop);
    float ms = -1;
    cudaEventElapsedTime(&ms, start, stop);
    std::printf("%.1f ms\n", ms);
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    cudaFreeHost(host);
    cudaFree(dev);
}
