// Shared by gpu_registration.cpp and tensor1_cuda.cu, which are compiled for different architectures.
#pragma once

#include "kernels/method/registry.h"

namespace convscope::on_cuda {

/// Registers tensor1, tensor2 and tensor3. ecr4 and pecr4 are registered before them.
void register_tensor(Registry&);

}  // namespace convscope::on_cuda
