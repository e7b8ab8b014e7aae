// The kernels that a GPU's ceilings are measured with.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace convscope {

/// Copies 'count' float4 from one buffer to the other.
void enqueue_copy(cudaStream_t, float4* to, const float4* from, std::size_t count);

/// Runs chains of FP32 multiply-adds on registers in 'blocks' blocks; 'out' has room for one float. Returns how many
/// multiply-adds that is.
std::int64_t enqueue_multiply_adds(cudaStream_t, float* out, unsigned blocks);

}  // namespace convscope
