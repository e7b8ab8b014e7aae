// Counts the FLOPs that union1 executes: the multiply-adds of channels that are not all zero under a tile.
#pragma once

#include "kernels/core/flops.h"

namespace convscope {

/// Counts, for every tile of windows, each channel whose box holds a non-zero (a NaN is one), with every tap and
/// filter.
std::optional<double> union1_flops(const Workload&);

}  // namespace convscope
