// While one half of a pinned buffer is on its way, the host reads the other half's next data from a file: correct.
// expect: status 0
// expect-output: sum 8192
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

constexpr int half = 4096;  // floats

__global__ void add(const float* in, float* sum) {
    float mine = 0;
    for (int i = threadIdx.x; i < half; i += blockDim.x) mine += in[i];
    atomicAdd(sum, mine);
}

int main() {
    float *pinned, *device, *sum, result = 0;
    cudaMallocHost(&pinned, 2 * half * sizeof(float));
    cudaMalloc(&device, half * sizeof(float));
    cudaMalloc(&sum, sizeof(float));
    cudaMemset(sum, 0, sizeof(float));
    cudaStream_t stream;
    cudaStreamCreate(&stream);

    char path[] = "/tmp/double_buffer_XXXXXX";
    const int file = mkstemp(path);
    unlink(path);
    for (int i = 0; i < half; ++i) pinned[i] = 1;
    for (int i = 0; i < 2; ++i) write(file, pinned, half * sizeof(float));
    lseek(file, 0, SEEK_SET);

    bool whole = true;
    for (int i = 0; i < 2; ++i) {
        float* now = pinned + (i % 2) * half;
        whole = whole && read(file, now, half * sizeof(float)) == half * (long)sizeof(float);
        cudaMemcpyAsync(device, now, half * sizeof(float), cudaMemcpyHostToDevice, stream);
        add<<<1, 128, 0, stream>>>(device, sum);
    }
    cudaStreamDestroy(stream);  // its work goes on
    cudaDeviceSynchronize();
    cudaMemcpy(&result, sum, sizeof(float), cudaMemcpyDeviceToHost);
    pinned[0] = result;
    std::printf("%s %.0f\n", whole ? "sum" : "read too little", pinned[0]);
    cudaFreeHost(pinned);
    cudaFree(device);
    cudaFree(sum);
    close(file);
}
