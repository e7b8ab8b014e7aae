// expect: status 0
// expect-output: 1 0 1
#include <cstdio>

__global__ void contains(const int *x, int wanted, int *result) {
    __shared__ bool found;
    if (threadIdx.x == 0)
        found = false;
    __syncthreads();
    if (x[blockIdx.x * blockDim.x + threadIdx.x] == wanted)
        found = true;
    __syncthreads();
    bool all_say_so = __syncthreads_and(found), one_says_so = __syncthreads_or(found);
    int say_so = __syncthreads_count(found);
    if (threadIdx.x == 0)
        result[blockIdx.x] = all_say_so == one_says_so && say_so == (found ? 64 : 0) ? found : 2;
}

int main() {
    const int n = 192;
    int host[n], *x, *result, is[3];
    for (int i = 0; i < n; ++i)
        host[i] = i % 128;
    cudaMalloc(&x, n * sizeof(int));
    cudaMalloc(&result, 3 * sizeof(int));
    cudaMemset(result, 0, 3 * sizeof(int));
    cudaMemcpy(x, host, n * sizeof(int), cudaMemcpyHostToDevice);
    contains<<<3, 64>>>(x, 7, result);
    cudaMemcpy(is, result, 3 * sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d %d %d\n", is[0], is[1], is[2]);
    cudaFree(x);
    cudaFree(result);
}
