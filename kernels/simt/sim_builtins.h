// CUDA's names that need no memory, bound to the executor: what every dialect of the host's compiler shares.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <source_location>
#include <type_traits>

#include "kernels/simt/executor.h"

namespace convscope::simt::builtins {

using simt::blockDim;
using simt::blockIdx;
using simt::gridDim;
using simt::threadIdx;
using std::max;
using std::min;

using Location = std::source_location;

/// Aligned as their elements: that an address must be a multiple of 8 or 16 is checked, not assumed.
struct float2 {
    float x, y;
};
struct float4 {
    float x, y, z, w;
};
struct int2 {
    int x, y;
};
struct int4 {
    int x, y, z, w;
};

inline void __syncthreads(Location at = Location::current()) {
    wait_for_block(at);
}
inline void __syncwarp(unsigned mask = 0xffffffffu, Location at = Location::current()) {
    warp_exchange({WarpOperation::sync, mask, 0, 0, at});
}
inline unsigned __ballot_sync(unsigned mask, bool vote, Location at = Location::current()) {
    return static_cast<unsigned>(warp_exchange({WarpOperation::ballot, mask, vote, 0, at}));
}
inline bool __any_sync(unsigned mask, bool vote, Location at = Location::current()) {
    return __ballot_sync(mask, vote, at) != 0;
}
inline bool __all_sync(unsigned mask, bool vote, Location at = Location::current()) {
    return __ballot_sync(mask, !vote, at) == 0;
}

/// The value of the lane 'source', as every shuffle comes down to. T has 4 or 8 bytes.
template <class T>
T shuffle(unsigned mask, T value, unsigned source, Location at) {
    using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
    const std::uint64_t got = warp_exchange({WarpOperation::shuffle, mask, std::bit_cast<Bits>(value), source, at});
    return std::bit_cast<T>(static_cast<Bits>(got));
}
/// CUDA's rule for a source outside the lane's own segment of 'width' lanes: the lane keeps its own value.
inline unsigned within_segment(unsigned lane, std::int64_t source, int width) {
    const std::int64_t first = lane / width * width;
    return source < first || source >= first + width ? lane : static_cast<unsigned>(source);
}
template <class T>
T __shfl_sync(unsigned mask, T value, int source, int width = 32, Location at = Location::current()) {
    const unsigned first = simt::lane() / width * width;
    return shuffle(mask, value, first + static_cast<unsigned>(source) % width, at);
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned by, int width = 32, Location at = Location::current()) {
    const unsigned lane = simt::lane();
    return shuffle(mask, value, within_segment(lane, std::int64_t{lane} - by, width), at);
}
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned by, int width = 32, Location at = Location::current()) {
    const unsigned lane = simt::lane();
    return shuffle(mask, value, within_segment(lane, std::int64_t{lane} + by, width), at);
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int with, int width = 32, Location at = Location::current()) {
    const unsigned lane = simt::lane();
    return shuffle(mask, value, within_segment(lane, lane ^ static_cast<unsigned>(with), width), at);
}

inline int __float_as_int(float value) {
    return std::bit_cast<int>(value);
}
inline float __int_as_float(int bits) {
    return std::bit_cast<float>(bits);
}
inline int __popc(unsigned bits) {
    return std::popcount(bits);
}

/// Known from the table of compiled kernels only (kernels/simt/kernel_registers.h).
template <class... Parameters>
int registers_of(void (*)(Parameters...)) {
    return 0;
}

}  // namespace convscope::simt::builtins
