// expect: status 4, 3 findings
// expect: out_of_bounds reduction_no_shared.cu:

// Two passes; dynamic shared memory, and a shuffle at the end.
#include <cstdio>
#include <cstdlib>

static void HandleError(cudaError_t err, const char *file, int line) {
    if (err != cudaSuccess) {
        printf("%s in %s at line %d\n", cudaGetErrorString(err), file, line);
        exit(EXIT_FAILURE);
    }
}
#define HANDLE_ERROR(err) (HandleError(err, __FILE__, __LINE__))

__global__ void reduce(const int *in, int *out, int n) {
    extern __shared__ int part[];
    unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x * 2 + t;
    part[t] = (i < n ? in[i] : 0) + (i + blockDim.x < n ? in[i + blockDim.x] : 0);
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s >= 32; s >>= 1) {
        if (t < s) part[t] += part[t + s];
        __syncthreads();
    }
    if (t < 32) {
        int v = part[t];
        for (int o = 16; o > 0; o >>= 1) v += __shfl_down_sync(0xffffffff, v, o);
        if (t == 0) out[blockIdx.x] = v;
    }
}

int main() {
    const int n = 1000, threads = 128, blocks = (n + 2 * threads - 1) / (2 * threads);
    int *h = (int *)malloc(n * sizeof(int));
    for (int i = 0; i < n; ++i) h[i] = i;
    int *d_in, *d_part, *d_out, sum;
    HANDLE_ERROR(cudaMalloc((void **)&d_in, n * sizeof(int)));
    HANDLE_ERROR(cudaMalloc((void **)&d_part, blocks * sizeof(int)));
    HANDLE_ERROR(cudaMalloc((void **)&d_out, sizeof(int)));
    HANDLE_ERROR(cudaMemcpy(d_in, h, n * sizeof(int), cudaMemcpyHostToDevice));
    reduce<<<blocks, threads>>>(d_in, d_part, n);
    reduce<<<1, threads, threads * sizeof(int)>>>(d_part, d_out, blocks);
    HANDLE_ERROR(cudaDeviceSynchronize());
    HANDLE_ERROR(cudaMemcpy(&sum, d_out, sizeof(int), cudaMemcpyDeviceToHost));
    printf("sum %d\n", sum);
    HANDLE_ERROR(cudaFree(d_in));
    HANDLE_ERROR(cudaFree(d_part));
    HANDLE_ERROR(cudaFree(d_out));
    free(h);
    return 0;
}
