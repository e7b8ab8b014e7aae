// Shared by wcsr_gpu.cpp and nm_cuda.cu, which are compiled for different architectures.
#pragma once

#include "kernels/method/gpu.h"
#include "kernels/method/registry.h"

namespace convscope::on_cuda {

void register_nm(Registry&);

/// Enqueues share_sum (wcsr_kernels.h). 'early': its blocks may come before the kernel before it has ended.
void add_shares(bool early, Gpu&, const KernelLaunch&, const ConvShape&, int split, const float* partial, float* y);
int share_sum_registers();

}  // namespace convscope::on_cuda
