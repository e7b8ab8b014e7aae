// Finds the fastest of cuDNN's fused forms for a layer with pooling, by trying them.
#pragma once

#include "kernels/vendor/cudnn/fused_pipeline.h"

namespace convscope::cudnn {

/// Whether there is any graph and engine that would run this shape; else cuDNN's reason.
Support has_fused_form(cudnnHandle_t, const ConvShape&, DType);

/// Measures the engines that the heuristics put first, in both layouts, pooling included. The handle is on the Gpu's
/// stream. Throws OutOfMemory when x, w and y alone do not fit, and Error(failed) when nothing runs.
FusedChoice fastest_fused(Gpu&, cudnnHandle_t, const ConvShape&, DType);

}  // namespace convscope::cudnn
