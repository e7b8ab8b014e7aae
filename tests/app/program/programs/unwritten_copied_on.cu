// expect: status 4, 1 finding
// expect: uninitialised unwritten_copied_on.cu:8 block (0,0,0) thread (16,0,0) v[16]: reads what nobody has written
#include <cstdio>

__device__ int middle[32];

__global__ void positive(const int *v, int *out) {
    out[threadIdx.x] = v[threadIdx.x] > 0;
}

int main() {
    int *from, *to, *out, host[32];
    cudaMalloc(&from, sizeof host);
    cudaMalloc(&to, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMemset(from, 0, sizeof host / 2);
    cudaMemcpyToSymbol(middle, from, sizeof host, 0, cudaMemcpyDeviceToDevice);
    cudaMemcpyFromSymbol(to, middle, sizeof host, 0, cudaMemcpyDeviceToDevice);
    positive<<<1, 32>>>(to, out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(from);
    cudaFree(to);
    cudaFree(out);
}
