// expect: status 0
// expect-output: ok
// Hillis and Steele's scan of one block, ping-pong in shared memory.
#include <iostream>
#include <memory>

__global__ void scan(int *data, int n) {
    extern __shared__ int temp[];
    int t = threadIdx.x, from = 1, to = 0;
    temp[t] = data[t];
    __syncthreads();
    for (int offset = 1; offset < n; offset *= 2) {
        int swap = to;
        to = from;
        from = swap;
        temp[to * n + t] = t >= offset ? temp[from * n + t] + temp[from * n + t - offset] : temp[from * n + t];
        __syncthreads();
    }
    data[t] = temp[to * n + t];
}

int main() {
    constexpr int n = 256;
    auto host = std::make_unique<int[]>(n);
    for (int i = 0; i < n; ++i) host[i] = i + 1;
    int *device = nullptr;
    if (cudaMalloc(reinterpret_cast<void **>(&device), n * sizeof(int)) != cudaSuccess) return 1;
    cudaMemcpy(device, host.get(), n * sizeof(int), cudaMemcpyHostToDevice);
    scan<<<1, n, 2 * n * sizeof(int)>>>(device, n);
    if (auto error = cudaGetLastError(); error != cudaSuccess) {
        std::cerr << cudaGetErrorString(error) << '\n';
        return 1;
    }
    cudaMemcpy(host.get(), device, n * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i)
        if (host[i] != (i + 1) * (i + 2) / 2) return 2;
    std::cout << "ok\n";
    cudaFree(device);
}
