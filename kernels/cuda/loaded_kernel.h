// A kernel of a user's own on a real GPU: PTX that the driver compiles.
#pragma once

#include <memory>
#include <string>

#include "kernels/method/gpu.h"

namespace convscope {

/// 'gpu' outlives it. Throws as Gpu::load_kernel.
std::unique_ptr<LoadedKernel> load_cuda_kernel(Gpu& gpu, const std::string& ptx, const std::string& symbol);

}  // namespace convscope
