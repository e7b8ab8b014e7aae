// fcr1 and fcr2 on a GPU, without their kernels: shapes, launch space, plan.
#pragma once

#include <cstdint>
#include <memory>

#include "kernels/fcr/fcr_tiling.h"
#include "kernels/simt/gpu_method.h"

namespace convscope {

/// What a configuration leads to.
struct FcrChoice {
    std::int64_t threads = 256;  ///< of a block
    std::int64_t slices = 1;     ///< blocks that share the inputs of a group of outputs
    std::int64_t rows = 8;       ///< U of the kernel: rows that a warp loads at once
    std::int64_t outputs = 4;    ///< V of the kernel: outputs of a thread
    bool cluster = false;        ///< the slices' blocks are a cluster
};
/// A default of few slices takes clusters where the device has them.
FcrChoice fcr_choice(const ConvShape&, const LaunchConfig&, const DeviceModel&, DeviceKind);
FcrTiling fcr_tiling(const ConvShape&, const FcrChoice&);

/// Bytes of the slices' sums, [slices][n][leading]; none of one slice.
std::int64_t fcr_partial_bytes(const ConvShape&, std::int64_t slices);

/// FP32 weights.
std::unique_ptr<Method> make_fcr1(DeviceKind, MakeGpuProgram program, MakeGpuProgram pool);
/// FP16 weights; x and the sums stay FP32.
std::unique_ptr<Method> make_fcr2(DeviceKind, MakeGpuProgram program, MakeGpuProgram pool);

}  // namespace convscope
