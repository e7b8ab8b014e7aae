#include "kernels/cuda/check.h"
#include "kernels/cuda/timing_kernels.h"

namespace convscope {
namespace {

constexpr unsigned threads = 256;
constexpr long long longest_hold_ns = 20'000'000;

__device__ long long nanoseconds_now() {
    long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

__global__ void spin_cycles(long long cycles) {
    const long long start = clock64();
    while (clock64() - start < cycles) {
    }
}

__global__ void spin_nanoseconds(long long nanoseconds) {
    const long long start = nanoseconds_now();
    while (nanoseconds_now() - start < nanoseconds) {
    }
}

__global__ void flush(float4* buffer, std::size_t count) {
    float sum = 0;
    for (std::size_t i = blockIdx.x * std::size_t{threads} + threadIdx.x; i < count; i += gridDim.x * threads) {
        const float4 value = __ldcg(buffer + i);
        sum += value.x + value.y + value.z + value.w;
    }
    // The buffer holds zeros, so this never happens; the compiler cannot know, and keeps the loads.
    if (sum != 0) buffer[0].x = sum;
}

__global__ void hold_stream(volatile Hold* hold) {
    const long long start = nanoseconds_now();
    while (!hold->release) {
        if (nanoseconds_now() - start < longest_hold_ns) continue;
        hold->gave_up = 1;
        return;
    }
}

}  // namespace

void enqueue_spin_cycles(cudaStream_t stream, long long cycles) {
    spin_cycles<<<1, 1, 0, stream>>>(cycles);
    CONVSCOPE_CUDA(cudaGetLastError());
}

void enqueue_spin_nanoseconds(cudaStream_t stream, long long nanoseconds, unsigned blocks) {
    spin_nanoseconds<<<blocks, 1, 0, stream>>>(nanoseconds);
    CONVSCOPE_CUDA(cudaGetLastError());
}

void enqueue_flush(cudaStream_t stream, float4* buffer, std::size_t bytes, unsigned blocks) {
    flush<<<blocks, threads, 0, stream>>>(buffer, bytes / sizeof(float4));
    CONVSCOPE_CUDA(cudaGetLastError());
}

void enqueue_hold(cudaStream_t stream, Hold* hold) {
    hold_stream<<<1, 1, 0, stream>>>(hold);
    CONVSCOPE_CUDA(cudaGetLastError());
}

}  // namespace convscope
