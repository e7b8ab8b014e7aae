// Prepares tensor1's weights for its bulk copies. A framework does this once per layer.
#pragma once

#include "kernels/hopper/split_halves.h"
#include "kernels/simt/kernel_shape.h"
#include "kernels/tensor/tensor1_memory.h"

namespace convscope::CONVSCOPE_DIALECT {

/// The offset in a filter's weights, [c][r][s], of an element of the tiles' order: 'tap' in the order in which the
/// phases take them; or -1 beyond them. Where the tiling gathers, the channel counts a window's elements, (kh, kw, c).
DEVICE int weight_offset(const KernelShape& shape, const Tensor1Tiling& tiling, int channel, int tap) {
    if (tiling.gathers) {
        if (channel >= shape.c * shape.r * shape.s) return -1;
        return channel % shape.c * shape.r * shape.s + channel / shape.c;
    }
    if (channel >= shape.c) return -1;
    for (int row = 0; row < min(tiling.step_h, tiling.taps_h); ++row) {
        for (int column = 0; column < min(tiling.step_w, tiling.taps_w); ++column) {
            const int down = (tiling.taps_h - row + tiling.step_h - 1) / tiling.step_h;
            const int across = (tiling.taps_w - column + tiling.step_w - 1) / tiling.step_w;
            if (tap < down * across)
                return (channel * shape.r + row + tap / across * tiling.step_h) * shape.s + column +
                       tap % across * tiling.step_w;
            tap -= down * across;
        }
    }
    return -1;
}

/// prepared, [slice][tap][leading][32 FP16, 32 residuals], from w: scaled and split, zeros beyond k and c; the 16 bytes
/// i of filter f lie at i ^ f % 8, as shared memory needs them. One thread per weight.
KERNEL tensor1_weights(KernelShape shape, Tensor1Tiling tiling, const float* w, const float* inverse_scale,
                       unsigned short* prepared) {
    const long long thread = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    const int taps = tiling.taps_h * tiling.taps_w;
    const int within = static_cast<int>(thread % tensor1_slice);
    const int filter = static_cast<int>(thread / tensor1_slice % tiling.leading);
    const long long plane = thread / tensor1_slice / tiling.leading;  // of a slice and a tap
    if (plane >= static_cast<long long>(tiling.slices) * taps) return;
    const int channel = static_cast<int>(plane / taps) * tensor1_slice + within;
    const int offset = weight_offset(shape, tiling, channel, static_cast<int>(plane % taps));
    float value = 0.0f, scale = 1.0f;
    if (filter < shape.k && offset >= 0) {
        value = w[static_cast<long long>(filter) * shape.c * shape.r * shape.s + offset];
        scale = 1.0f / inverse_scale[filter];
    }
    const hopper::SplitPair split(value, 0.0f, scale);
    constexpr int halves = tensor1_row_bytes / 2, of_chunk = 8, residuals = 4;  // chunks before the residuals
    unsigned short* row = prepared + (plane * tiling.leading + filter) * halves;
    const int chunk = within / of_chunk, turn = filter % 8, place = within % of_chunk;
    row[(chunk ^ turn) * of_chunk + place] = static_cast<unsigned short>(split.hi);
    row[((chunk + residuals) ^ turn) * of_chunk + place] = static_cast<unsigned short>(split.lo);
}

}  // namespace convscope::CONVSCOPE_DIALECT
