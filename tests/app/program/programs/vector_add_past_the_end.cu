// expect: status 4, 1 finding
// expect: out_of_bounds vector_add_past_the_end.cu:12 block (3,0,0) thread (232,0,0) c[1000]: writes; c has 1000 elements; allocated at vector_add_past_the_end.cu:20 (24 times)
// The test for the last block is missing.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void add(const float *a, const float *b, float *c)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    // no test
    c[i] = a[i] + b[i];
}

int main(void)
{
    const int N = 1000; size_t bytes = N * sizeof(float);
    float *a = (float *)malloc(bytes), *b = (float *)malloc(bytes), *c = (float *)malloc(bytes);
    for (int i = 0; i < N; i++) { a[i] = 1; b[i] = i; }
    float *d_a, *d_b, *d_c; cudaMalloc((void **)&d_c, bytes);
    cudaMalloc((void **)&d_a, 1024 * sizeof(float)); cudaMalloc((void **)&d_b, 1024 * sizeof(float));
    cudaMemset(d_a, 0, 1024 * sizeof(float)); cudaMemset(d_b, 0, 1024 * sizeof(float));
    cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice); cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice);
    add<<<4, 256>>>(d_a, d_b, d_c);
    cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost);
    printf("%g\n", c[999]);
    cudaFree(d_a); cudaFree(d_b); cudaFree(d_c);
    free(a); free(b); free(c);
    return 0;
}
