// expect: status 4, 1 finding
// expect: host_pointer host_pointer.cu:8 block (0,0,0) thread (0,0,0): reads 4 bytes through a pointer of the host
#include <cstdio>
#include <cstdlib>

__global__ void twice(const float *in, float *out)
{
    out[threadIdx.x] = 2 * in[threadIdx.x];
}

int main()
{
    float *h = (float *)malloc(32 * sizeof(float)), *d;
    for (int i = 0; i < 32; i++) h[i] = i;
    cudaMalloc(&d, 32 * sizeof(float));
    twice<<<1, 32>>>(h, d);
    cudaMemcpy(h, d, 32 * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(d);
    free(h);
    return 0;
}
