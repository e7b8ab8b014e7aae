// wcsr1 on a GPU, without its kernels: shapes, launch space, plan, memory.
#pragma once

#include <cstdint>
#include <memory>

#include "kernels/method/flops.h"
#include "kernels/simt/gpu_method.h"
#include "kernels/weights/wcsr_tiling.h"

namespace convscope {

/// The launch that a configuration results in.
struct WcsrChoice {
    std::int64_t outputs = 0;   ///< V of the kernel: positions of a lane
    std::int64_t filters = 4;   ///< F of the kernel: filters of a warp
    std::int64_t channels = 0;  ///< of a chunk
    std::int64_t split = 0;     ///< blocks that share the chunks
};
WcsrChoice wcsr_choice(const ConvShape&, const LaunchConfig&);
WcsrTiling wcsr_tiling(const ConvShape&, const WcsrChoice&);

/// Where the arrays of the CSR matrix begin, in elements of 4 bytes: values first, then columns, then row_offsets.
struct WcsrArrays {
    std::int64_t columns, row_offsets, elements;
    WcsrArrays(const ConvShape&, const WcsrTiling&);
};

/// Counts every multiply-add whose weight is not zero: each has n p q of them.
std::optional<double> nonzero_weight_flops(const Workload&);

std::unique_ptr<Method> make_wcsr1(DeviceKind, MakeGpuProgram program, MakeGpuProgram pool);

}  // namespace convscope
