// How the separate pooling stage (kernels/pooling/pool_kernel.h) is launched: one thread per output element.
#pragma once

#include "kernels/layers/conv_shape.h"
#include "kernels/simt/launch_plan.h"

namespace convscope {

inline KernelLaunch plan_pool(const ConvShape& shape) {
    constexpr std::int64_t threads = 256;
    return kernel_launch("relu_max_pool", "pool", {ceil_div(shape.y_elements(), threads), 1, 1}, {threads, 1, 1});
}

}  // namespace convscope
