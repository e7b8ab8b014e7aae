// expect: status 4
// expect: , 2 findings
// expect: error registered_twice.cu:15 cudaHostRegister: is given x, which the GPU reaches already; allocated at registered_twice.cu:13
// expect: error registered_twice.cu:16 cudaHostRegister: is given no memory
#include <cstdlib>

__global__ void increment(int *x) {
    ++x[threadIdx.x];
}

int main() {
    int *x = (int *)calloc(64, sizeof(int));
    cudaHostRegister(x, 64 * sizeof(int), cudaHostRegisterDefault);
    increment<<<1, 64>>>(x);
    cudaHostRegister(x + 32, 32 * sizeof(int), cudaHostRegisterDefault);
    cudaHostRegister(nullptr, 64, cudaHostRegisterDefault);
    cudaDeviceSynchronize();
    cudaHostUnregister(x);
    free(x);
}
