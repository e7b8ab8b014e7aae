// expect: status 4, 2 findings
// expect: use_after_free use_after_free.cu:8 block (0,0,0) thread (0,0,0) p[0]: writes; p has been freed
// expect: invalid_free use_after_free.cu:18 cudaFree: frees list again
#include <cstdio>

__global__ void touch(int *p)
{
    p[threadIdx.x] = 0;
}

int main()
{
    int *list;
    cudaMalloc(&list, 128 * sizeof(int));
    cudaFree(list);
    touch<<<1, 32>>>(list);
    cudaDeviceSynchronize();
    cudaFree(list);
}
