// expect: status 4, 1 finding
// expect: uninitialised histogram_no_memset.cu:

#include <cstdio>
#include <cstdint>
#include <vector>

__global__ void histogram(const uint8_t *data, unsigned *bins, size_t n) {
    __shared__ unsigned local[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) local[i] = 0;
    __syncthreads();
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        atomicAdd(&local[data[i]], 1u);
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(&bins[i], local[i]);
}

int main() {
    std::vector<uint8_t> data(4096);
    uint32_t seed = 1;
    for (auto &d : data) d = uint8_t((seed = seed * 1664525u + 1013904223u) >> 24);
    uint8_t *d_data;
    unsigned *d_bins, bins[256];
    cudaMalloc(&d_data, data.size());
    cudaMalloc(&d_bins, sizeof bins);
    cudaMemcpy(d_data, data.data(), data.size(), cudaMemcpyHostToDevice);
    histogram<<<4, 128>>>(d_data, d_bins, data.size());
    cudaMemcpy(bins, d_bins, sizeof bins, cudaMemcpyDeviceToHost);
    unsigned total = 0, wrong = 0;
    for (int b = 0; b < 256; ++b) {
        unsigned count = 0;
        for (auto d : data) count += d == b;
        wrong += count != bins[b];
        total += bins[b];
    }
    std::printf("total %u\n", total);
    cudaFree(d_data);
    cudaFree(d_bins);
    return wrong != 0;
}
