// expect: status 4, 1 finding
// expect: leak leak.cu:11 cudaMalloc: buffer, 256 bytes, is never freed (3 times)
#include <cstdio>

__global__ void noop() {}

int main()
{
    for (int i = 0; i < 3; i++) {
        char *buffer;
        cudaMalloc(&buffer, 256);
        noop<<<1, 1>>>();
    }
    cudaDeviceSynchronize();
    return 0;
}
