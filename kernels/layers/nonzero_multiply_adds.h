// Counts the multiply-adds of a convolution that need to be done where zeros of both factors are left out.
#pragma once

#include <cstdint>

#include "kernels/layers/workload.h"

namespace convscope {

/// Those of which neither the element of x nor that of w is zero. Padding is zero, NaN is not.
std::int64_t nonzero_multiply_adds(const Workload&);

}  // namespace convscope
