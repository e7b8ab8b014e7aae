// The conversion of ecr5: 16 channels brought together, and those of their elements at one place that are not zero.
#pragma once

#include <cstdint>

#include "kernels/cpu/gemm_tile.h"

namespace convscope {

/// Channels that are looked at together: a vector of AVX-512.
constexpr std::int64_t ecr5_channels = 16;

/// Writes channels [0, channels) of a map, 'plane' elements each, as [plane][16], 0 beyond 'channels', which is at most
/// 16. 'from' is [channels][plane].
using Ecr5Interleave = void (*)(const float* from, std::int64_t channels, std::int64_t plane, float* to);

Ecr5Interleave ecr5_interleave(Isa);

/// Where the elements of a block of channels at one place are, and where the weights begin that they meet.
struct Ecr5Place {
    const float* channels;      ///< the first 16
    std::int64_t next;          ///< from 16 channels to the next 16
    std::int64_t steps;         ///< of 16 channels
    std::int32_t weights;       ///< of the first channel
    std::int32_t next_weights;  ///< from a channel's weights to the next one's
};

/// Writes the elements that are not zero, and where the weights of each begin, in the order of the channels; both
/// arrays have room for 16 more than the block has channels, what lies behind the count is overwritten freely. Returns
/// the count.
using Ecr5Compress = std::int32_t (*)(const Ecr5Place&, float* values, std::int32_t* offsets);

Ecr5Compress ecr5_compress(Isa);

}  // namespace convscope
