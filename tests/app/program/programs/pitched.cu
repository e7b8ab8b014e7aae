// expect: status 0
// expect-output: 41
#include <cstdio>

__global__ void transpose_add(char *base, size_t pitch, int w, int h) {
    int x = threadIdx.x, y = blockIdx.x;
    if (x < w && y < h) ((float *)(base + y * pitch))[x] += 10.f * y + x;
}

int main() {
    const int w = 10, h = 5;
    float host[h][w] = {}, *dev;
    size_t pitch;
    cudaMallocPitch((void **)&dev, &pitch, w * sizeof(float), h);
    cudaMemset2D(dev, pitch, 0, w * sizeof(float), h);
    transpose_add<<<h, 32>>>((char *)dev, pitch, w, h);
    cudaMemcpy2D(host, w * sizeof(float), dev, pitch, w * sizeof(float), h, cudaMemcpyDeviceToHost);
    std::printf("%g\n", host[4][1]);
    cudaFree(dev);
}
