// expect: status 4
// expect: , 1 finding
// expect: unsynchronised host_function_not_waited_for.cu:24 the host: reads byte 0 of x, which the kernel fill may still be writing
// expect-output: behind the kernel: 1
#include <cstdio>

__global__ void fill(int *x) {
    x[threadIdx.x] = threadIdx.x + 1;
}

// It runs behind the kernel, and may read what that has written.
void show(void *x) {
    printf("behind the kernel: %d\n", *(int *)x);
}

int main() {
    int *x;
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaMallocHost((void **)&x, 64 * sizeof(int));
    fill<<<1, 64, 0, stream>>>(x);
    cudaLaunchHostFunc(stream, show, x);
    // cudaStreamSynchronize(stream);
    printf("%d\n", *x);
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
    cudaFreeHost(x);
}
