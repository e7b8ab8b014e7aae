// The fused methods on a GPU, without their kernels: shapes, launch spaces, what a configuration leads to.
#pragma once

#include <memory>
#include <string>

#include "kernels/simt/gpu_method.h"

namespace convscope {

constexpr int fused_versions = 5;  ///< fused0 to fused4

std::unique_ptr<Method> make_fused(int version, DeviceKind, MakeGpuProgram);
/// fused0's convolution, and ReLU and pooling in a kernel of their own.
std::unique_ptr<Method> make_unfused0(DeviceKind, MakeGpuProgram program, MakeGpuProgram pool);
ConvShape without_pooling(const ConvShape&);
std::unique_ptr<Method> make_fused5(DeviceKind, MakeGpuProgram);
/// CUDA-only. missing_gpu: hopper::missing_gpu().
std::unique_ptr<Method> make_fused6(MakeGpuProgram, std::string missing_gpu);

/// The constants that are compiled into the kernel that a plan launches; 0 where it reads them when it runs.
struct FusedInstance {
    int filter = 0;                ///< r and s, at stride 1 and with 2 x 2 pooling of stride 2: 5 or 3
    int block_x = 0, block_y = 0;  ///< the static tile's block: 16 x 16 or 16 x 8, where 'filter' is not 0
    bool static_tile() const { return block_x > 0; }
};
FusedInstance fused_instance(const GpuPlan&);

}  // namespace convscope
