// Shared by gpu_registration.cpp and pixel1_cuda.cu, which are compiled for different architectures.
#pragma once

#include "kernels/method/registry.h"

namespace convscope::on_cuda {

void register_pixel(Registry&);

}  // namespace convscope::on_cuda
