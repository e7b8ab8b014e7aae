// expect: status 4, 1 finding
// expect: out_of_bounds copy_too_much.cu:15 cudaMemcpy: copies 4096 bytes to d_x, which has 1024; allocated at copy_too_much.cu:14
// The count of elements is given to cudaMalloc, and the bytes to cudaMemcpy.
#include <cstdio>
#include <vector>

__global__ void touch(float *x, int n) {
    for (int i = threadIdx.x; i < n / 4; i += blockDim.x) x[i] = i;
}

int main() {
    std::vector<float> x(1024, 1.f);
    float *d_x = nullptr;
    cudaMalloc(&d_x, x.size());
    cudaMemcpy(d_x, x.data(), x.size() * sizeof(float), cudaMemcpyHostToDevice);
    touch<<<1, 64>>>(d_x, 1024);
    cudaDeviceSynchronize();
    cudaFree(d_x);
}
