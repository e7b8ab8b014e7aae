// expect: status 4, 1 finding
// expect: device_pointer device_pointer_on_host.cu:15 the host: reads memory of the GPU, d, which only kernels and copies reach
// expect: was ended by signal 11
#include <cstdio>

__global__ void one(int *p) {
    *p = 1;
}

int main() {
    int *d;
    cudaMalloc(&d, sizeof(int));
    one<<<1, 1>>>(d);
    cudaDeviceSynchronize();
    int value = *d;
    printf("%d\n", value);
    cudaFree(d);
}
