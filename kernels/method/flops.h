// Counts FLOPs exactly, 2 per multiply-add: those that data need, and those that methods execute.
#pragma once

#include <optional>
#include <stop_token>

#include "kernels/layers/workload.h"

namespace convscope {

/// Counts every multiply-add whose element of x is not zero: such an element counts once for each output window that
/// covers it and each filter. Padding is not counted, NaN is not zero. After a stop request the count is partial.
double flops_effective(const Workload&, const std::stop_token& stop = {});

/// Computes a method's executed FLOPs from the data (MethodInfo). Filling a tile up to its full size, and the additions
/// of transforms, do not count. Empty: not known.
using CountFlops = std::optional<double> (*)(const Workload&);

std::optional<double> dense_flops(const Workload&);    ///< every multiply-add, zeros and padding included
std::optional<double> nonzero_flops(const Workload&);  ///< flops_effective()
// The same for methods that compute a convolution window once per pooling window that contains it, and no other:
// several times where pooling windows overlap. Without pooling every window is computed once.
std::optional<double> dense_pooled_flops(const Workload&);
std::optional<double> nonzero_pooled_flops(const Workload&);
std::optional<double> unknown_flops(const Workload&);

}  // namespace convscope
