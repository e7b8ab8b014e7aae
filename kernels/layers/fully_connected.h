// Fully connected layers: convolutions of 1x1 maps with 1x1 filters, of c inputs and k outputs.
#pragma once

#include <string>

#include "kernels/core/launch.h"
#include "kernels/layers/conv_shape.h"

namespace convscope {

/// Whether every output is a sum over all inputs of an image, each with a weight of its own: a 1x1 map, a 1x1 filter,
/// no padding, stride 1, one group, no pooling.
bool is_fully_connected(const ConvShape&);

/// Whether a method of this id, which computes nothing else, takes the shape.
Support takes_fully_connected(const std::string& id, const ConvShape&);

/// "fully connected, 25088 -> 4096": inputs and outputs of one image. For shapes that are.
std::string fully_connected_text(const ConvShape&);

}  // namespace convscope
