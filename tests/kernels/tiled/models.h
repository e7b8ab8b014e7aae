// The GPUs that the planners are tried on.
#pragma once

#include "kernels/layers/conv_shape.h"

#include "tests/support/device_models.h"

namespace convscope::testing {

inline DeviceModel with_shared_memory(std::int64_t bytes) {
    DeviceModel small = model_of("GTX 1080 Ti");
    small.name = "a small GPU";
    small.shared_per_sm = bytes;
    small.shared_per_block = small.shared_per_block_optin = bytes / 2;
    return small;
}

inline ConvShape layer(std::int64_t c, std::int64_t size, std::int64_t k, std::int64_t filter) {
    ConvShape shape;
    shape.c = c;
    shape.h = shape.w = size;
    shape.k = k;
    shape.r = shape.s = filter;
    return shape;
}

}  // namespace convscope::testing
