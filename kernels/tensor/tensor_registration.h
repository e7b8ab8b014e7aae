// What gpu_registration.cpp and tensor1_cuda.cu, which are compiled for different architectures, know of each other.
#pragma once

#include "kernels/core/registry.h"

namespace convscope::on_cuda {

/// tensor1, tensor2 and tensor3. ecr4 and pecr4 are registered before them.
void register_tensor(Registry&);

}  // namespace convscope::on_cuda
