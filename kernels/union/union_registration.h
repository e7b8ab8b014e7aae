// Shared by gpu_registration.cpp and union1_cuda.cu, which are compiled for different architectures.
#pragma once

#include "kernels/method/registry.h"

namespace convscope::on_cuda {

void register_union(Registry&);

}  // namespace convscope::on_cuda
