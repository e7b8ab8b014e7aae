// Divides by a Divisor (kernels/core/divisor.h) in a kernel: a multiplication and a shift.
#pragma once

#include "kernels/core/divisor.h"

namespace convscope::hopper {

/// Returns dividend / divisor.by. The dividend is below 2^31.
__device__ __forceinline__ unsigned quotient(unsigned dividend, const Divisor& divisor) {
    return (__umulhi(dividend, divisor.multiplier) + dividend) >> divisor.shift;
}

}  // namespace convscope::hopper
