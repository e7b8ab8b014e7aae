// A lambda as a kernel's argument, and what blocks print: in the order of the grid, however many run side by side.
// expect: status 0
// expect-output: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 81
#include <cstdio>

template <class Function>
__global__ void for_all(int n, Function function) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) function(i);
    if (threadIdx.x == 0) printf("%d ", blockIdx.x);
}

int main() {
    int *squares, last;
    cudaMalloc(&squares, 32 * sizeof(int));
    for_all<<<32, 1>>>(32, [=] __device__(int i) { squares[i] = i * i; });
    cudaMemcpy(&last, squares + 9, sizeof last, cudaMemcpyDeviceToHost);
    printf("%d\n", last);
    cudaFree(squares);
}
