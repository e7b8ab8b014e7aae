// cuFFT behind the one transform that our methods use.
#pragma once

#include <memory>

#include "kernels/method/gpu.h"

namespace convscope {

/// A plan on the Gpu's stream. Its work memory is ours, so transforms can be captured into a graph, and what they hold
/// is known. 'gpu' lends the memory and outlives the plan.
std::unique_ptr<BatchedFft> make_cuda_fft(Gpu& gpu, const FftShape&, FftDirection);

}  // namespace convscope
