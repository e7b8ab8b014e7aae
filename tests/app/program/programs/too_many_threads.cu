// expect: status 4, 1 finding
// expect: invalid_launch too_many_threads.cu:15 <<<>>>: a block of 64x32x1 threads cannot be launched
// expect: nobody asks for this error
#include <cstdio>

__global__ void fill(float *x)
{
    x[threadIdx.y * 64 + threadIdx.x] = 1;
}

int main()
{
    float *x;
    cudaMalloc(&x, 2048 * sizeof(float));
    fill<<<1, dim3(64, 32)>>>(x);
    cudaDeviceSynchronize();
    cudaFree(x);
    printf("done\n");
}
