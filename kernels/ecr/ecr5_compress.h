// The conversion of ecr5: the non-zero elements of 16 channels at one place.
#pragma once

#include <cstdint>

#include "kernels/cpu/gemm_tile.h"

namespace convscope {

/// Channels of a block, looked at together. Their weights of 64 filters 3x3 are 37 kB: more leave the L1 cache, fewer
/// make lists so short that the sums that come and go with each cost more than the products.
constexpr std::int64_t ecr5_channels = 16;

/// Writes those of channels[0 ... 15] that are not zero, and first + i * step for the i-th channel; both arrays have
/// room for 16, what lies behind the count is overwritten freely. Returns the count.
using Ecr5Compress = std::int32_t (*)(const float* channels, std::int32_t first, std::int32_t step, float* values,
                                      std::int32_t* offsets);

Ecr5Compress ecr5_compress(Isa);

}  // namespace convscope
