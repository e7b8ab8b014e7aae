// The kernel says what it has found, and stops the GPU: that is all there is to say.
// expect: status 4
// needs nvcc: clang has no __managed__
// expect: assertion assertion.cu:12
// expect: , 1 finding
#include <cassert>
#include <cstdio>

__managed__ int count;

__global__ void check(int n) {
    assert(n < 3);
    count = n;
}

int main() {
    check<<<1, 1>>>(5);
    cudaError_t error = cudaDeviceSynchronize();
    std::printf("%s, %d\n", cudaGetErrorName(error), count);
}
