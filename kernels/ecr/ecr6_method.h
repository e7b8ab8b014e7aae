// ecr6 and pecr6 on a GPU, without their kernels: shapes, launch space, what a configuration leads to.
#pragma once

#include <memory>
#include <string>

#include "kernels/ecr/ecr6_plan.h"
#include "kernels/simt/gpu_method.h"

namespace convscope {

/// CUDA-only. missing_gpu: hopper::missing_gpu().
std::unique_ptr<Method> make_ecr6(MakeGpuProgram program, MakeGpuProgram pool, std::string missing_gpu);
std::unique_ptr<Method> make_pecr6(MakeGpuProgram program, std::string missing_gpu);

/// What a person asks for by the tunables 'filters', 'parts' and 'flush'.
Ecr6Choice ecr6_choice(const LaunchConfig&);

}  // namespace convscope
