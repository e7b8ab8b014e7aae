// Describes this machine's GPUs by the CUDA runtime, without taking one into use.
#pragma once

#include <string>
#include <vector>

#include "kernels/method/device.h"

namespace convscope {

/// Why no GPU can be used, as a sentence; empty when at least one can be requested.
std::string cuda_unavailable_reason();

/// One entry per GPU, in the runtime's order, "cuda:0" and on. A GPU that these modules were not built for is not
/// available. Call when cuda_unavailable_reason() is empty.
std::vector<DeviceInfo> cuda_device_infos();

}  // namespace convscope
