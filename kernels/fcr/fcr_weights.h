// One thread's part of an input's row of weights, as it is loaded (16 bytes at a time) and as it is multiplied
// (floats).
#pragma once

#include "kernels/simt/dialect.h"
#if defined(__CUDACC__)
#include <cuda_fp16.h>
#else
#include "kernels/ptx/run/half.h"
#endif

namespace convscope::CONVSCOPE_DIALECT {

/// Two FP16 values in a word of 32 bits, the first in its lower half.
DEVICE int to_halves(float first, float second) {
#if defined(__CUDACC__)
    const __half2 pair = __floats2half2_rn(first, second);
    return *reinterpret_cast<const int*>(&pair);
#else
    return static_cast<int>(static_cast<unsigned>(ptx::f16_of_float(second)) << 16 | ptx::f16_of_float(first));
#endif
}

DEVICE float2 to_floats(int halves) {
#if defined(__CUDACC__)
    return __half22float2(*reinterpret_cast<const __half2*>(&halves));
#else
    const auto bits = static_cast<unsigned>(halves);
    return {ptx::float_of_f16(static_cast<std::uint16_t>(bits)),
            ptx::float_of_f16(static_cast<std::uint16_t>(bits >> 16))};
#endif
}

/// V weights of a lane in FP32. A warp's 32 V outputs are V / 4 runs of 128, of which each lane has four side by side:
/// one load of a warp is 512 bytes in a row.
template <int V>
struct FloatWeights {
    using Word = float;
    static constexpr int per_word = 1;

    float4 four[V / 4];

    /// Which of the warp's outputs a lane's i-th is.
    DEVICE static int output(int lane, int i) { return i / 4 * 128 + lane * 4 + i % 4; }

    DEVICE void clear() { UNROLL for (int i = 0; i < V / 4; ++i) four[i] = float4{0.0f, 0.0f, 0.0f, 0.0f}; }
    /// 'row' begins at the warp's first output; 'there' of its outputs exist, a multiple of 8.
    DEVICE void load(Global<const float> row, int lane, int there) {
        UNROLL for (int i = 0; i < V / 4; ++i) {
            const int at = i * 128 + lane * 4;
            if (at < there) four[i] = __ldg(vectors<const float4>(row + at));
        }
    }
    DEVICE void expand(float (&weights)[V]) const {
        UNROLL for (int i = 0; i < V / 4; ++i) {
            weights[4 * i] = four[i].x;
            weights[4 * i + 1] = four[i].y;
            weights[4 * i + 2] = four[i].z;
            weights[4 * i + 3] = four[i].w;
        }
    }
};

/// V weights of a lane in FP16, side by side, two to a word.
template <int V>
struct HalfWeights {
    using Word = int;
    static constexpr int per_word = 2;

    int words[V / 2];

    DEVICE static int output(int lane, int i) { return lane * V + i; }

    DEVICE void clear() { UNROLL for (int i = 0; i < V / 2; ++i) words[i] = 0; }
    DEVICE void load(Global<const int> row, int lane, int there) {
        if (lane * V >= there) return;
        if constexpr (V == 4) {
            const int2 loaded = __ldg(vectors<const int2>(row + lane * 2));
            words[0] = loaded.x;
            words[1] = loaded.y;
        } else {
            const int4 loaded = __ldg(vectors<const int4>(row + lane * 4));
            words[0] = loaded.x;
            words[1] = loaded.y;
            words[2] = loaded.z;
            words[3] = loaded.w;
        }
    }
    DEVICE void expand(float (&weights)[V]) const {
        UNROLL for (int i = 0; i < V / 2; ++i) {
            const float2 pair = to_floats(words[i]);
            weights[2 * i] = pair.x;
            weights[2 * i + 1] = pair.y;
        }
    }
};

}  // namespace convscope::CONVSCOPE_DIALECT
