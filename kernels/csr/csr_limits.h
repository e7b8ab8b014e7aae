// The largest arrays that csr1 can count, on every device.
#pragma once

#include <cstdint>
#include <string>

#include "kernels/core/launch.h"
#include "kernels/layers/conv_shape.h"

namespace convscope {

/// The most elements that an extended map can have: row offsets are 32-bit.
constexpr std::int64_t max_csr_elements = 2147483647;

inline Support csr_countable(const ConvShape& shape) {
    if (shape.im2col_elements() <= max_csr_elements) return {};
    return Support::no("the extended map has " + std::to_string(shape.im2col_elements()) +
                       " elements, and csr1's 32-bit row offsets count up to " + std::to_string(max_csr_elements));
}

}  // namespace convscope
