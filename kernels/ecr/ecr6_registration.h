// What ecr_gpu.cpp, pecr_gpu.cpp and ecr6_cuda.cu, which are compiled for different architectures, know of each other.
#pragma once

#include "kernels/core/registry.h"

namespace convscope::on_cuda {

void register_ecr6(Registry&);
void register_pecr6(Registry&);

}  // namespace convscope::on_cuda
