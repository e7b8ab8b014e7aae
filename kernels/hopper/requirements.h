// Which GPUs and layers the methods for compute capability 9.0 support. Plain C++ on the host.
#pragma once

#include <fmt/format.h>

#include <string>

#include "kernels/core/device_model.h"
#include "kernels/core/launch.h"
#include "kernels/layers/conv_shape.h"

namespace convscope::hopper {

inline Support runs_on(const std::string& method, const DeviceModel& model) {
    if (model.cc_major == 9 && model.cc_minor == 0) return {};
    return Support::no(fmt::format("{} needs compute capability 9.0; {} has {}.{}", method, model.name, model.cc_major,
                                   model.cc_minor));
}

/// Whether FP32 by three FP16 products stays within FP32's error bound for this shape's sums. That bound is
/// (products + 2) units, and a product's own error disappears in it from 16 products on (docs/kernels/tensor1.md).
inline Support keeps_to_fp32(const std::string& method, const ConvShape& shape) {
    constexpr std::int64_t fewest_products = 16;
    if (shape.reduction() >= fewest_products) return {};
    return Support::no(fmt::format("{} keeps to FP32's bound in sums of {} products or more; this shape's have {}",
                                   method, fewest_products, shape.reduction()));
}

}  // namespace convscope::hopper
