// FLOPs, 2 per multiply-add, that data need and that methods execute, counted exactly.
#pragma once

#include <optional>
#include <stop_token>

#include "kernels/core/workload.h"

namespace convscope {

/// Every multiply-add whose element of x is not zero: such an element counts once for each output window that covers
/// it and each filter. Padding is not counted, NaN is not zero. After a stop request the count is of a part only.
double flops_effective(const Workload&, const std::stop_token& stop = {});

/// How a method's executed FLOPs follow from the data (MethodInfo). What only rounds a tile up to its full size, and
/// the additions of transforms, do not count. Empty: not known.
using CountFlops = std::optional<double> (*)(const Workload&);

std::optional<double> dense_flops(const Workload&);    ///< every multiply-add, zeros and padding included
std::optional<double> nonzero_flops(const Workload&);  ///< flops_effective()
// The same of methods that compute a convolution window for each pooling window that it lies in, and no other: where
// pooling windows overlap, several times. Without pooling every window is computed once.
std::optional<double> dense_pooled_flops(const Workload&);
std::optional<double> nonzero_pooled_flops(const Workload&);
std::optional<double> unknown_flops(const Workload&);

}  // namespace convscope
