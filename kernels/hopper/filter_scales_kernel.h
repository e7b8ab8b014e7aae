// Computes the power of two that scales each filter before it is split into FP16 (split_halves.h). A framework does
// this once per layer.
#pragma once

#include "kernels/hopper/split_halves.h"
#include "kernels/simt/dialect.h"
#include "kernels/simt/kernel_shape.h"

namespace convscope::CONVSCOPE_DIALECT {

/// Writes inverse_scale[leading], by which a filter's sums are multiplied at the end. w: KCRS. One warp per filter.
/// Static: each family that launches it has a copy.
static KERNEL filter_scales(KernelShape shape, int leading, const float* w, float* inverse_scale) {
    const int filter = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / 32), lane = threadIdx.x % 32;
    if (filter >= leading) return;
    const int elements = shape.c * shape.r * shape.s;
    unsigned largest = 0;
    if (filter < shape.k)
        for (int i = lane; i < elements; i += 32)
            largest = max(largest, hopper::finite_magnitude(w[static_cast<long long>(filter) * elements + i]));
    largest = __reduce_max_sync(0xffffffffu, largest);
    if (lane == 0) inverse_scale[filter] = hopper::Scale(static_cast<int>(largest >> 23)).inverse_scale;
}

}  // namespace convscope::CONVSCOPE_DIALECT
