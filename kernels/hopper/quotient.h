// Division by a Divisor in a kernel.
#pragma once

#include "kernels/core/divisor.h"

namespace convscope::hopper {

/// dividend / by; dividend: below 2^31.
__device__ __forceinline__ unsigned quotient(unsigned dividend, const Divisor& divisor) {
    return (__umulhi(dividend, divisor.multiplier) + dividend) >> divisor.shift;
}

}  // namespace convscope::hopper
