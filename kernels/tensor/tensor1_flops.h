// Counts the FLOPs that tensor1 and tensor2 execute: every multiply-add, except in skipped steps of zeros.
#pragma once

#include "kernels/core/flops.h"

namespace convscope {

/// Dense, as long as every step of 16 channels of every box that a tile reads holds a non-zero; else empty: skipped
/// steps are not counted. For layers whose windows are gathered: dense where x has no zeros.
std::optional<double> tensor1_flops(const Workload&);
/// The same for tensor2, which leaves out all that no 2x2 pooling window with stride 2 needs.
std::optional<double> tensor2_flops(const Workload&);

}  // namespace convscope
