// Shared by mec_gpu.cpp and mec5_cuda.cu, which are compiled for different architectures.
#pragma once

#include "kernels/method/gpu.h"
#include "kernels/method/registry.h"

namespace convscope::on_cuda {

void register_mec5(Registry&);

/// Enqueues mec3_lower: x, NHWC, to L.
void lower_strips(Gpu&, const ConvShape&, const float* x, float* L);
int strip_registers(const ConvShape&);

}  // namespace convscope::on_cuda
