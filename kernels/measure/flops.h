// Work that the data really asks for.
#pragma once

#include <stop_token>

#include "kernels/core/workload.h"

namespace convscope {

/// 2 per multiply-add whose element of x is not zero, exactly: every non-zero element counts once for each
/// output window that covers it and each filter. Padding is not counted, NaN is not zero.
/// After a stop request the count is of a part only.
double flops_effective(const Workload&, const std::stop_token& stop = {});

}  // namespace convscope
