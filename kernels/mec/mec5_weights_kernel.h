// Prepares the weights of mec5, mec6 and mec7 for their bulk copies. A framework does this once per layer.
#pragma once

#include "kernels/hopper/rounding.h"
#include "kernels/mec/mec5_tile.h"
#include "kernels/simt/dialect.h"
#include "kernels/simt/kernel_shape.h"

namespace convscope::CONVSCOPE_DIALECT {

/// prepared, [slice][high, residual][leading][32 columns], without the residuals where they are not wanted, from w,
/// KCRS: zeros beyond k and r s c; the 16 bytes i of filter f lie at i ^ f % 8, as shared memory needs them. A column
/// is one of r s c, in the order of L's rows. One thread per weight.
template <bool split>
KERNEL mec5_weights(KernelShape shape, Mec5Tiling tiling, const float* w, float* prepared) {
    const long long thread = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    const long long plane = static_cast<long long>(tiling.leading) * mec5_slice;
    if (thread >= tiling.slices * plane) return;
    const int within = static_cast<int>(thread % mec5_slice);
    const int filter = static_cast<int>(thread / mec5_slice % tiling.leading);
    const int slice = static_cast<int>(thread / plane);
    const int column = slice * mec5_slice + (within / 4 ^ filter % 8) * 4 + within % 4;
    float value = 0.0f;
    if (filter < shape.k && column < tiling.columns) {
        const int channel = column % shape.c, tap = column / shape.c;
        value = w[(static_cast<long long>(filter) * shape.c + channel) * shape.r * shape.s + tap];
    }
    float* to = prepared + slice * (split ? 2 : 1) * plane + thread % plane;
    if constexpr (split) {
        const hopper::SplitFloat both(value);
        to[0] = both.hi;
        to[plane] = both.lo;
    } else {
        to[0] = hopper::rounded_to_tf32(value);
    }
}

}  // namespace convscope::CONVSCOPE_DIALECT
