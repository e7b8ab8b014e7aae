// mec_gpu.cpp offers these to mec5_cuda.cu; the two are compiled for different architectures.
#pragma once

#include "kernels/layers/conv_shape.h"
#include "kernels/method/gpu.h"

namespace convscope::on_cuda {

/// Enqueues mec3_lower: x, NHWC, to L.
void lower_strips(Gpu&, const ConvShape&, const float* x, float* L);
int strip_registers(const ConvShape&);

}  // namespace convscope::on_cuda
