// Reading a feature map with padding, for every kernel that takes x as NCHW.
#pragma once

#include "kernels/simt/dialect.h"
#include "kernels/simt/kernel_shape.h"

namespace convscope::CONVSCOPE_DIALECT {

/// The element (row, column) of the map (h x w) that starts at x[first]; 0 in the padding, where row or column lies
/// outside the map.
DEVICE float element_or_zero(Global<const float> x, int first, const KernelShape& shape, int row, int column) {
    const bool inside = row >= 0 && row < shape.h && column >= 0 && column < shape.w;
    float value = 0.0f;
    if (inside) value = x[first + row * shape.w + column];
    return value;
}

}  // namespace convscope::CONVSCOPE_DIALECT
