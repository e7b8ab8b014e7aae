// Divides by a number that is known before a kernel starts, for kernels in which one of some 150 cycles counts.
#pragma once

#include <cstdint>

namespace convscope {

/// n / by = (high 32 bits of n * multiplier + n) >> shift, exact for n below 2^31 (Granlund and Montgomery, "Division
/// by invariant integers using multiplication", 1994, Fig. 4.1).
struct Divisor {
    std::uint32_t by = 1, multiplier = 1, shift = 0;
};

/// by: 1 .. 2^31 - 1.
constexpr Divisor divisor(std::int64_t by) {
    std::uint32_t shift = 0;
    while ((std::int64_t{1} << shift) < by) ++shift;
    const std::uint64_t multiplier = (std::uint64_t{1} << 32) *
                                         ((std::uint64_t{1} << shift) - static_cast<std::uint64_t>(by)) /
                                         static_cast<std::uint64_t>(by) +
                                     1;
    return {static_cast<std::uint32_t>(by), static_cast<std::uint32_t>(multiplier), shift};
}

}  // namespace convscope
