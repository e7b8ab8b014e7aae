// Draws a subset of numbered things.
#pragma once

#include <cstdint>
#include <stop_token>

#include "kernels/core/random.h"
#include "kernels/layers/zero_patterns.h"

namespace convscope {

inline constexpr std::int64_t elements_per_check = 1 << 20;  ///< elements between two looks at a stop request

/// Calls 'chosen' for exactly 'count' of 0 .. total - 1, ascending, each subset being equally likely (Knuth, The Art
/// of Computer Programming, vol. 2, 3.4.2, Algorithm S). Needs no memory, so it serves 10^8 elements too. Throws
/// Error(failed) soon after a stop request.
template <class Chosen>
void choose(std::int64_t total, std::int64_t count, Random& random, const std::stop_token& stop, Chosen chosen) {
    for (std::int64_t i = 0; count > 0; ++i) {
        if (i % elements_per_check == 0) end_when_stopped(stop);
        if (random.below(total - i) < count) {
            chosen(i);
            --count;
        }
    }
}

}  // namespace convscope
