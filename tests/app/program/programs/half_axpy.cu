// expect: status 0
// expect-output: y[63] = 16.75, dot = 2918.69
// Half precision, one by one and in pairs.
#include <cstdio>
#include <cuda_fp16.h>
#include <vector>

__global__ void axpy(const __half *x, __half *y, __half a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = __hfma(a, x[i], y[i]);
}

__global__ void dot(const half2 *x, const half2 *y, float *out, int n) {
    __half2 sum = __float2half2_rn(0.f);
    for (int i = threadIdx.x; i < n; i += 32) sum = __hfma2(x[i], y[i], sum);
    float total = __low2float(sum) + __high2float(sum);
    for (int o = 16; o > 0; o /= 2) total += __shfl_xor_sync(0xffffffff, total, o);
    if (threadIdx.x == 0) *out = total;
}

__global__ void relu(half *x, int n) {
    half zero = __float2half(0.0f);
    if (threadIdx.x < n && (x[threadIdx.x] < zero || __hisnan(x[threadIdx.x]))) x[threadIdx.x] = zero;
    if (threadIdx.x < n) x[threadIdx.x] = x[threadIdx.x] * __float2half(0.5f) + x[threadIdx.x];
}

int main() {
    const int n = 64;
    std::vector<__half> x(n), y(n);
    for (int i = 0; i < n; ++i) {
        x[i] = __float2half(i / 8.f);
        y[i] = __float2half(1.f);
    }
    __half *d_x, *d_y;
    float *d_out, out;
    cudaMalloc(&d_x, n * sizeof(__half));
    cudaMalloc(&d_y, n * sizeof(__half));
    cudaMalloc(&d_out, sizeof(float));
    cudaMemcpy(d_x, x.data(), n * sizeof(__half), cudaMemcpyHostToDevice);
    cudaMemcpy(d_y, y.data(), n * sizeof(__half), cudaMemcpyHostToDevice);
    axpy<<<2, 32>>>(d_x, d_y, __float2half(2.f), n);
    dot<<<1, 32>>>((half2 *)d_x, (half2 *)d_y, d_out, n / 2);
    cudaMemcpy(y.data(), d_y, n * sizeof(__half), cudaMemcpyDeviceToHost);
    cudaMemcpy(&out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    std::printf("y[63] = %g, dot = %g\n", __half2float(y[63]), out);
    relu<<<1, 64>>>(d_x, n);
    cudaMemcpy(x.data(), d_x, n * sizeof(__half), cudaMemcpyDeviceToHost);
    cudaFree(d_x);
    cudaFree(d_y);
    cudaFree(d_out);
    return __half2float(x[8]) == 1.5f ? 0 : 1;
}
