// The GPUs that the planners are tried on.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "kernels/core/conv_shape.h"
#include "kernels/core/device_model.h"

namespace convscope::testing {

inline DeviceModel model(std::string_view name) {
    for (const DeviceModel& each : device_models())
        if (each.name == name) return each;
    throw std::logic_error("no model " + std::string(name));
}

inline DeviceModel with_shared_memory(std::int64_t bytes) {
    DeviceModel small = model("GTX 1080 Ti");
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
