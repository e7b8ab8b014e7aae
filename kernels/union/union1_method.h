// union1 on a GPU, without its kernels: shapes, memory, and the plan of a layer.
#pragma once

#include <memory>
#include <string>

#include "kernels/simt/gpu_method.h"

namespace convscope {

/// CUDA-only. missing_gpu: hopper::missing_gpu().
std::unique_ptr<Method> make_union1(MakeGpuProgram program, MakeGpuProgram pool, std::string missing_gpu);

/// Where the parts of union1's workspace begin, in bytes.
struct Union1Workspace {
    std::int64_t largest = 0, used = 0, partial = 0, bytes = 0;
    explicit Union1Workspace(const ConvShape&);
};

}  // namespace convscope
