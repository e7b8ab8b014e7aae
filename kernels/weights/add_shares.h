// wcsr_gpu.cpp offers these to nm_cuda.cu; the two are compiled for different architectures.
#pragma once

#include "kernels/core/launch.h"
#include "kernels/layers/conv_shape.h"
#include "kernels/method/gpu.h"

namespace convscope::on_cuda {

/// Enqueues share_sum (wcsr_kernels.h). 'early': its blocks may come before the kernel before it has ended.
void add_shares(bool early, Gpu&, const KernelLaunch&, const ConvShape&, int split, const float* partial, float* y);
int share_sum_registers();

}  // namespace convscope::on_cuda
