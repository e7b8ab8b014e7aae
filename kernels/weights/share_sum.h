// Blocks that share the channels of a layer leave a sum each for every output; share_sum (wcsr_kernels.h) adds them.
#pragma once

#include <cstdint>

#include "kernels/layers/conv_shape.h"
#include "kernels/simt/launch_plan.h"

namespace convscope {

constexpr std::int64_t max_shares = 16;
/// Layers are planned for an H200; blocks that share channels are to be two for each SM.
constexpr std::int64_t planned_sms = 132, wanted_blocks = 2 * planned_sms;

/// Bytes of the sums of 'split' shares, each as y before pooling; none of one share.
inline std::int64_t share_bytes(const ConvShape& shape, std::int64_t split) {
    return split > 1 ? split * shape.conv_elements() * float_bytes : 0;
}

inline KernelLaunch share_sum_launch(const ConvShape& shape) {
    constexpr std::int64_t threads = 256;
    return kernel_launch("share_sum", "multiply", {ceil_div(shape.conv_elements(), threads), 1, 1}, {threads, 1, 1});
}

}  // namespace convscope
