// Prepares fused6's weights for its bulk copies. A framework does this once per layer.
#pragma once

#include "kernels/fused/fused6_tile.h"
#include "kernels/hopper/rounding.h"
#include "kernels/simt/dialect.h"
#include "kernels/simt/kernel_shape.h"

namespace convscope::CONVSCOPE_DIALECT {

/// prepared, [slice][tap][weight_pitch][32 channels], from w, KCRS: rounded to TF32, zeros beyond k and c; the 16 bytes
/// i of filter f lie at i ^ f % 8, as shared memory needs them. One thread per element.
KERNEL fused6_weights(KernelShape shape, Fused6Tiling tiling, const float* w, float* prepared) {
    const long long place = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    const int taps = shape.r * shape.s;
    if (place >= static_cast<long long>(tiling.slices) * taps * tiling.weight_pitch * fused6_slice) return;
    const int within = static_cast<int>(place % fused6_slice);
    const long long row = place / fused6_slice;
    const int filter = static_cast<int>(row % tiling.weight_pitch);
    const int tap = static_cast<int>(row / tiling.weight_pitch % taps);
    const int slice = static_cast<int>(row / tiling.weight_pitch / taps);
    const int channel = slice * fused6_slice + (within / 4 ^ filter % 8) * 4 + within % 4;
    float value = 0.0f;
    if (filter < shape.k && channel < shape.c)
        value = w[(static_cast<long long>(filter) * shape.c + channel) * taps + tap];
    prepared[place] = hopper::rounded_to_tf32(value);
}

}  // namespace convscope::CONVSCOPE_DIALECT
