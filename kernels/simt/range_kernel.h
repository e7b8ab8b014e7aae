// The range of an array's values, found where the array lies: for the colours of what never passes through the host.
#pragma once

#include "kernels/simt/dialect.h"

namespace convscope::CONVSCOPE_DIALECT {

constexpr int range_threads = 256;

/// 'words' are the bits of floats or, with 'integers', of ints. Raises range[0] to the bits of the largest value of 0
/// or more, and range[1] to those of the largest magnitude below 0: magnitudes of floats are in the order of their
/// bits. Infinities, NaNs and integers below 0 do not count. Before the launch both are 0. Block: range_threads; grid:
/// x, any number, strided over.
KERNEL range_of_words(Global<const int> words, long long elements, bool integers, Global<int> range) {
    constexpr int all_but_sign = 0x7fffffff, infinity = 0x7f800000;
    const unsigned all_lanes = 0xffffffffu;
    int high = 0, low = 0;
    const long long step = static_cast<long long>(gridDim.x) * blockDim.x;
    for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < elements; i += step) {
        const int bits = words[i];
        const int magnitude = bits & all_but_sign;
        if (!integers && magnitude >= infinity) continue;
        if (bits >= 0 && bits > high) high = bits;
        if (bits < 0 && !integers && magnitude > low) low = magnitude;
    }
    for (int by = 16; by > 0; by /= 2) {
        const int other_high = __shfl_down_sync(all_lanes, high, by);
        const int other_low = __shfl_down_sync(all_lanes, low, by);
        if (other_high > high) high = other_high;
        if (other_low > low) low = other_low;
    }
    SHARED_ARRAY(int, highs, range_threads / 32);
    SHARED_ARRAY(int, lows, range_threads / 32);
    if (threadIdx.x % 32 == 0) {
        highs[threadIdx.x / 32] = high;
        lows[threadIdx.x / 32] = low;
    }
    __syncthreads();
    if (threadIdx.x > 0) return;
    for (int warp = 1; warp < range_threads / 32; ++warp) {
        const int other_high = highs[warp], other_low = lows[warp];
        if (other_high > high) high = other_high;
        if (other_low > low) low = other_low;
    }
    atomicMax(range, high);
    atomicMax(range + 1, low);
}

}  // namespace convscope::CONVSCOPE_DIALECT
