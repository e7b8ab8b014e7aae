// Shared by fused_gpu.cpp and fused6_cuda.cu, which are compiled for different architectures.
#pragma once

#include "kernels/method/registry.h"

namespace convscope::on_cuda {

void register_fused6(Registry&);

}  // namespace convscope::on_cuda
