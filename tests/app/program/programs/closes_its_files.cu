// A daemon's way to begin: what the simulated GPU says goes nowhere from then on.
// expect: status 5
// expect: what the simulated GPU reports ended before the program
#include <unistd.h>

__global__ void past_the_end(int* a) { a[threadIdx.x] = 1; }

int main() {
    for (int file = 3; file < 1024; ++file) close(file);
    int* a;
    cudaMalloc(&a, 16);
    past_the_end<<<1, 32>>>(a);
    cudaDeviceSynchronize();
    cudaFree(a);
}
