#include "kernels/cuda/ceiling_kernels.h"
#include "kernels/cuda/check.h"

namespace convscope {
namespace {

constexpr unsigned copy_threads = 512, copy_each = 4;
constexpr unsigned add_threads = 256;
constexpr int chains = 8;     // independent, to hide the latency of each
constexpr int steps = 16384;  // of each chain

__global__ void __launch_bounds__(copy_threads) copy(float4* to, const float4* from, std::size_t count) {
    const std::size_t first = blockIdx.x * std::size_t{copy_threads * copy_each} + threadIdx.x;
    float4 values[copy_each];
#pragma unroll
    for (unsigned i = 0; i < copy_each; ++i)
        if (first + i * copy_threads < count) values[i] = __ldcs(from + first + i * copy_threads);
#pragma unroll
    for (unsigned i = 0; i < copy_each; ++i)
        if (first + i * copy_threads < count) __stcs(to + first + i * copy_threads, values[i]);
}

__global__ void __launch_bounds__(add_threads) multiply_adds(float* out, float factor, float term) {
    float sums[chains];
#pragma unroll
    for (int c = 0; c < chains; ++c) sums[c] = static_cast<float>(threadIdx.x + c);
#pragma unroll 16
    for (int i = 0; i < steps; ++i) {
#pragma unroll
        for (int c = 0; c < chains; ++c) sums[c] = fmaf(sums[c], factor, term);
    }
    float total = 0;
#pragma unroll
    for (int c = 0; c < chains; ++c) total += sums[c];
    // Never true for these numbers; the compiler cannot know, and keeps the sums.
    if (total == -1) *out = total;
}

}  // namespace

void enqueue_copy(cudaStream_t stream, float4* to, const float4* from, std::size_t count) {
    const auto blocks = static_cast<unsigned>((count + copy_threads * copy_each - 1) / (copy_threads * copy_each));
    copy<<<blocks, copy_threads, 0, stream>>>(to, from, count);
    CONVSCOPE_CUDA(cudaGetLastError());
}

std::int64_t enqueue_multiply_adds(cudaStream_t stream, float* out, unsigned blocks) {
    multiply_adds<<<blocks, add_threads, 0, stream>>>(out, 0.999F, 0.001F);
    CONVSCOPE_CUDA(cudaGetLastError());
    return std::int64_t{blocks} * add_threads * chains * steps;
}

}  // namespace convscope
