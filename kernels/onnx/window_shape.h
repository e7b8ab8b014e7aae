// The windows of a convolution or a pooling node.
#pragma once

#include "kernels/layers/conv_shape.h"
#include "kernels/onnx/node_call.h"

namespace convscope {

/// A map of h x w, a window of r x s, and the node's strides, dilations and pads (or auto_pad), of one channel and one
/// filter; not yet validate()d. Rejects attributes that are not of windows over height and width.
ConvShape window_shape(const NodeCall&, std::int64_t h, std::int64_t w, std::int64_t r, std::int64_t s);

}  // namespace convscope
