// mec5, mec6 and mec7 without their kernels: the results of mec3 and mec4, on the tensor cores of compute capability
// 9.0.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kernels/mec/mec5_plan.h"
#include "kernels/simt/gpu_method.h"

namespace convscope {

/// mec5 from L, mec6 from the input, mec7 from the input in TF32. 'missing_gpu': why none of this machine's GPUs runs
/// them, as half a sentence; empty where one does.
std::vector<std::unique_ptr<Method>> make_mec5_methods(MakeGpuProgram lowered, MakeGpuProgram implicit,
                                                       MakeGpuProgram implicit_tf32, MakeGpuProgram pool,
                                                       const std::string& missing_gpu);

/// The plan that the configuration requests.
Mec5Plan plan_mec5_method(const ConvShape&, const LaunchConfig&, const DeviceModel&, Mec5Kind);

}  // namespace convscope
