// tensor1 and tensor2 on a GPU, without their kernels: shapes, launch space, and the plan of a configuration.
#pragma once

#include <memory>
#include <string>

#include "kernels/simt/gpu_method.h"
#include "kernels/tensor/tensor1_plan.h"

namespace convscope {

/// CUDA-only. missing_gpu: hopper::missing_gpu().
std::unique_ptr<Method> make_tensor1(MakeGpuProgram program, MakeGpuProgram pool, std::string missing_gpu);
std::unique_ptr<Method> make_tensor2(MakeGpuProgram program, std::string missing_gpu);

/// Reads the tunables 'filters', 'split_k' and 'promotion_interval'.
Tensor1Choice tensor1_choice(const LaunchConfig&);

}  // namespace convscope
