// The highest rates that one GPU reaches.
#pragma once

#include "kernels/core/ceilings.h"
#include "kernels/core/device_model.h"
#include "kernels/cuda/cuda_gpu.h"

namespace convscope {

/// Copies arrays of eight times the L2 and runs chains of multiply-adds on registers; the best of several tries, timed
/// by events. Throws OutOfMemory when the GPU has no room for the arrays.
Ceilings measure_cuda_ceilings(CudaGpu&, const DeviceModel&);

}  // namespace convscope
