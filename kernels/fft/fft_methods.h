// fft1 on a GPU, without its kernels: launch space and what a configuration leads to.
#pragma once

#include <memory>

#include "kernels/simt/gpu_method.h"

namespace convscope {

/// The tile of a thread of fft_multiply at its frequency: so many results, 1, 2 or 4 of each.
struct FftTile {
    std::int64_t images = 1, filters = 1;
};
FftTile fft_tile(const ConvShape&, const LaunchConfig&);

std::unique_ptr<Method> make_fft1(DeviceKind, MakeGpuProgram program, MakeGpuProgram pool);

}  // namespace convscope
