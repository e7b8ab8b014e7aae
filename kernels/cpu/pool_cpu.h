// The separate ReLU + max-pooling stage of the CPU methods that do not fuse it.
#pragma once

#include "kernels/core/tensor.h"
#include "kernels/layers/conv_shape.h"

namespace convscope {

/// conv is (n, k, p, q), y is (n, k, out_h, out_w), both stored as 'layout' says. The shape must be pooled.
void relu_max_pool(const ConvShape&, Layout layout, const float* conv, float* y);

}  // namespace convscope
