// Copies from global to shared memory that go on behind the arithmetic and need no registers: cp.async, from compute
// capability 8.0 on. Elsewhere, and on the CPU, a copy is done when it is requested, which is one of the orders that
// the others may take.
#pragma once

#include "kernels/simt/dialect.h"

namespace convscope::CONVSCOPE_DIALECT {

/// to[place ...] = from[index ...], Width floats, or zeros unless 'inside': 'from' is not read then. A Width of 4 wants
/// both at multiples of four floats. Arrived for the thread after arrive_copies(), for the block after the barrier that
/// follows it.
template <int Width>
DEVICE void copy_async(Shared<float> to, int place, Global<const float> from, long long index, bool inside) {
    static_assert(Width == 1 || Width == 4, "4 or 16 bytes");
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    const auto address = static_cast<unsigned>(__cvta_generic_to_shared(to + place));
    const float* source = from + (inside ? index : 0);
    if constexpr (Width == 4)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(address), "l"(source), "r"(inside ? 16 : 0)
                     : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(address), "l"(source), "r"(inside ? 4 : 0)
                     : "memory");
#else
    if constexpr (Width == 4) {
        float4 four{0.0f, 0.0f, 0.0f, 0.0f};
        if (inside) four = vectors<const float4>(from + index)[0];
        vectors<float4>(to + place)[0] = four;
    } else {
        float value = 0.0f;
        if (inside) value = from[index];
        to[place] = value;
    }
#endif
}

/// Ends a group of copies; groups arrive in the order in which they were ended.
DEVICE void end_copy_group() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

/// Waits until at most 'Pending' of this thread's groups are still on their way.
template <int Pending>
DEVICE void arrive_copies() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" ::"n"(Pending) : "memory");
#endif
}

}  // namespace convscope::CONVSCOPE_DIALECT
