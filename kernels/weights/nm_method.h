// nm1 on a GPU, without its kernels: shapes, weights, launch space, plan, memory.
#pragma once

#include <cstdint>
#include <memory>

#include "kernels/simt/gpu_method.h"
#include "kernels/weights/nm_tiling.h"

namespace convscope {

/// The launch that a configuration results in.
struct NmChoice {
    bool sparse = true;        ///< mma.sp; else mma, the dense twin
    std::int64_t filters = 0;  ///< of a block
    std::int64_t pixels = 0;   ///< likewise
    std::int64_t split = 0;    ///< blocks that share the K tiles
};
NmChoice nm_choice(const ConvShape&, const LaunchConfig&);
NmTiling nm_tiling(const ConvShape&, std::int64_t split);

/// Where the parts of the workspace begin, in bytes: x in FP16 [n h w][padded_c], then the shares' sums.
struct NmWorkspace {
    std::int64_t partial, bytes;
    NmWorkspace(const ConvShape&, std::int64_t split);
};
std::int64_t nm_weight_bytes(const ConvShape&, bool sparse);

/// Has no build for the simulated GPU, which runs it as nvcc compiled it.
std::unique_ptr<Method> make_nm1(MakeGpuProgram program, MakeGpuProgram pool);

}  // namespace convscope
