// Counts the FLOPs that tensor1 and tensor2 execute: every multiply-add, except in skipped steps of zeros.
#pragma once

#include "kernels/method/flops.h"

namespace convscope {

/// Returns the dense count where every step of 16 channels of every box holds a non-zero; otherwise empty, since
/// skipped steps are not counted. Where windows are gathered, it is dense if x has no zeros.
std::optional<double> tensor1_flops(const Workload&);
/// The same for tensor2, which leaves out outputs that no 2x2 pooling window with stride 2 reads.
std::optional<double> tensor2_flops(const Workload&);

}  // namespace convscope
