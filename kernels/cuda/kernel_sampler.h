// The 'kernel' scope: the method's own work on the GPU, without the host.
#pragma once

#include <memory>

#include "kernels/core/timing.h"
#include "kernels/cuda/gpu_clock.h"
#include "kernels/method/method.h"

namespace convscope {

/// Captures the execution's run() into a CUDA graph and times its replays; see GpuClock for what a sample is. Where
/// the work cannot be captured, times it in the stream, and the sampler's note() says so.
std::unique_ptr<Sampler> make_kernel_sampler(GpuClock&, Execution&, CacheMode);

}  // namespace convscope
