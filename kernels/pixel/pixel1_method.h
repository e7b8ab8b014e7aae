// pixel1 and pixel2 on a GPU, without their kernels: shapes, launch space, and the plan of a configuration.
#pragma once

#include <memory>
#include <string>

#include "kernels/simt/gpu_method.h"

namespace convscope {

/// CUDA-only. missing_gpu: hopper::missing_gpu().
std::unique_ptr<Method> make_pixel1(MakeGpuProgram program, MakeGpuProgram pool, std::string missing_gpu);
std::unique_ptr<Method> make_pixel2(MakeGpuProgram program, MakeGpuProgram pool, std::string missing_gpu);

}  // namespace convscope
