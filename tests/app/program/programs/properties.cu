// expect: status 0
// expect-output: 9.0, warps of 32, 132 SMs
#include <cstdio>

__global__ void big(float *x) {
    extern __shared__ float s[];
    for (int i = threadIdx.x; i < 16384; i += blockDim.x) s[i] = i;
    __syncthreads();
    x[threadIdx.x] = s[16383 - threadIdx.x];
}

int main() {
    int count = 0, blocks = 0, threads = 0, least = 0;
    cudaGetDeviceCount(&count);
    if (count != 1) return 1;
    cudaDeviceProp prop;
    cudaGetDeviceProperties(&prop, 0);
    std::printf("%d.%d, warps of %d, %d SMs\n", prop.major, prop.minor, prop.warpSize, prop.multiProcessorCount);
    cudaOccupancyMaxPotentialBlockSize(&least, &threads, big, 0, 0);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, big, 256, 0);
    if (threads < 32 || blocks < 1) return 2;
    cudaFuncSetAttribute(big, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
    float *x, y[128];
    cudaMalloc(&x, sizeof y);
    big<<<1, 128, 65536>>>(x);
    if (cudaGetLastError() != cudaSuccess) return 3;
    cudaMemcpy(y, x, sizeof y, cudaMemcpyDeviceToHost);
    cudaFree(x);
    return y[0] == 16383 ? 0 : 4;
}
