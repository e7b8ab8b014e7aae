// Finds the fastest of cuDNN's forward algorithms for a layer, by trying them.
#pragma once

#include <vector>

#include "kernels/method/gpu.h"
#include "kernels/vendor/cudnn/algorithm.h"
#include "kernels/vendor/cudnn/descriptors.h"

namespace convscope::cudnn {

/// Measures every candidate that cuDNN supports and that fits the memory, pooling included, and returns the fastest.
/// The handle is on the Gpu's stream. Throws OutOfMemory when x, w and y alone do not fit, and Error(failed) when no
/// candidate runs.
Choice fastest(Gpu&, cudnnHandle_t, const ConvShape&, DType, const std::vector<Choice>& candidates);

}  // namespace convscope::cudnn
