// expect: status 4
// expect: leak three_on_a_line.cu:8 cudaMalloc: z, 12 bytes, is never freed
// expect: , 1 finding
#include <cstdio>

int main() {
    float *x, *y, *z;
    cudaMalloc(&x, 4); cudaMalloc(&y, 8); cudaMalloc(&z, 12);
    cudaFree(x);
    cudaFree(y);
    printf("done\n");
}
