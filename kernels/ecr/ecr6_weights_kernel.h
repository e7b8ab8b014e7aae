// ecr6's weights as its bulk copies take them: what a framework does once per layer.
#pragma once

#include "kernels/ecr/ecr6_memory.h"
#include "kernels/hopper/rounding.h"
#include "kernels/simt/kernel_shape.h"

namespace convscope::CONVSCOPE_DIALECT {

/// Where in w, KCRS, the weight of 'channel' and the product's tap number 'turn' of a filter lies; -1: nowhere. Taps
/// come in the order in which the phases take them; of a gathered window the channels are its elements, (kh, kw,
/// channel).
DEVICE long long ecr6_weight(const KernelShape& shape, const Ecr6Tiling& tiling, int filter, int channel, int turn) {
    const int taps = shape.r * shape.s;
    int tap = 0, before = 0;
    if (tiling.gathers) {
        tap = channel / shape.c;
        channel %= shape.c;
    } else {
        for_phases(tiling, [&](int row, int column, int down, int across) {
            const int here = turn - before;
            if (here >= 0 && here < down * across)
                tap = (row + here / across * shape.stride_h) * shape.s + column + here % across * shape.stride_w;
            before += down * across;
        });
    }
    if (filter >= shape.k || channel >= shape.c || tap >= taps) return -1;
    return (static_cast<long long>(filter) * shape.c + channel) * taps + tap;
}

/// prepared, [slice][tap][coarse, rest][leading][32 channels], from w: split, zeros beyond k and c, the 16 bytes i of
/// filter f at i ^ f % 8, as they must lie in shared memory. One thread per weight.
KERNEL ecr6_weights(KernelShape shape, Ecr6Tiling tiling, const float* w, float* prepared) {
    const long long thread = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    const int taps = tiling.taps_h * tiling.taps_w;
    const long long plane = static_cast<long long>(tiling.leading) * ecr6_slice;
    if (thread >= tiling.slices * taps * plane) return;
    const int within = static_cast<int>(thread % ecr6_slice);
    const int filter = static_cast<int>(thread / ecr6_slice % tiling.leading);
    const int turn = static_cast<int>(thread / plane % taps);
    const int slice = static_cast<int>(thread / plane / taps);
    const int channel = slice * ecr6_slice + (within / 4 ^ filter % 8) * 4 + within % 4;
    const long long from = ecr6_weight(shape, tiling, filter, channel, turn);
    const hopper::SplitFloat split(from < 0 ? 0.0f : w[from]);
    float* to = prepared + (static_cast<long long>(slice) * taps + turn) * 2 * plane + thread % plane;
    to[0] = split.coarse;
    to[plane] = split.rest;
}

}  // namespace convscope::CONVSCOPE_DIALECT
