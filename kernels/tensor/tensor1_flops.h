// What tensor1 and tensor2 execute: every multiply-add, but for steps of zeros.
#pragma once

#include "kernels/core/flops.h"

namespace convscope {

/// Dense, as long as every step of 16 channels of every box that a tile reads holds a non-zero; else empty: what is
/// skipped is not counted. Of layers whose windows are gathered: dense where x has no zeros.
std::optional<double> tensor1_flops(const Workload&);
/// The same of tensor2, which leaves out what no pooling window of 2x2 with stride 2 needs.
std::optional<double> tensor2_flops(const Workload&);

}  // namespace convscope
