// expect: status 4, 1 finding
// expect: invalid_launch too_much_shared.cu:14 <<<>>>: the block has 65536 bytes of shared memory, and without cudaFuncSetAttribute
// expect-output: invalid argument
#include <cstdio>

__global__ void fill(float *x) {
    extern __shared__ float s[];
    s[threadIdx.x] = 0;
    x[threadIdx.x] = s[threadIdx.x];
}
int main() {
    float *x;
    cudaMalloc(&x, 128 * sizeof(float));
    fill<<<1, 128, 65536>>>(x);
    std::puts(cudaGetErrorString(cudaGetLastError()));
    cudaFree(x);
}
