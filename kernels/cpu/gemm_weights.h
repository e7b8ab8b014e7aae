// The weights as the lowered matrices multiply them.
#pragma once

#include "kernels/core/conv_shape.h"

namespace convscope {

/// KCRS to [r s c][k]: rows in the order of a lowered NHWC window.
void weights_to_rsck(const ConvShape&, const float* w, float* matrix);

}  // namespace convscope
