// fcr1 and fcr2 on a GPU, without their kernels: shapes, launch space, plan.
#pragma once

#include <cstdint>
#include <memory>

#include "kernels/fcr/fcr_tiling.h"
#include "kernels/simt/gpu_method.h"

namespace convscope {

/// The launch that a configuration results in.
struct FcrChoice {
    std::int64_t threads = 256;  ///< of a block
    std::int64_t split_k = 1;    ///< blocks that share the inputs of a group of outputs
    std::int64_t rows = 8;       ///< U of the kernel: rows that a warp loads at once
    std::int64_t outputs = 4;    ///< V of the kernel: outputs of a thread
    bool cluster = false;        ///< the slices' blocks are a cluster
};
/// 'weight_bytes' is 4 of fcr1, 2 of fcr2.
FcrChoice fcr_choice(const ConvShape&, const LaunchConfig&, DeviceKind, std::int64_t weight_bytes);
FcrTiling fcr_tiling(const ConvShape&, const FcrChoice&);

/// Bytes of the slices' sums, [slices][n][leading]; none of one slice.
std::int64_t fcr_partial_bytes(const ConvShape&, std::int64_t slices);

/// FP32 weights.
std::unique_ptr<Method> make_fcr1(DeviceKind, MakeGpuProgram program, MakeGpuProgram pool);
/// FP16 weights; x and the sums stay FP32.
std::unique_ptr<Method> make_fcr2(DeviceKind, MakeGpuProgram program, MakeGpuProgram pool);

}  // namespace convscope
