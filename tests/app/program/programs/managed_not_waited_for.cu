// expect: status 4, 1 finding
// expect: unsynchronised managed_not_waited_for.cu:19 the host: reads byte 0 of x, which the kernel square
#include <cstdio>

__global__ void square(float *v, int n) {
    int i = threadIdx.x;
    if (i < n) v[i] *= v[i];
}

int main() {
    float *x;
    const int n = 100;
    cudaMallocManaged(&x, n * sizeof(float));
    for (int i = 0; i < n; ++i) x[i] = i;
    square<<<1, 128>>>(x, n);
    // cudaDeviceSynchronize();
    float total = 0;
    for (int i = 0; i < n; ++i) {
        total += x[i];
    }
    printf("%f\n", total);
    cudaFree(x);
}
