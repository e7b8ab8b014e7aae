// The MEC methods on a GPU, without their kernels: shapes, launch spaces, what a configuration leads to.
#pragma once

#include <memory>
#include <vector>

#include "kernels/mec/mec_choice.h"
#include "kernels/mec/mec_plan.h"
#include "kernels/simt/gpu_method.h"

namespace convscope {

/// The common part of all MEC methods, with the stages of those that lower.
MethodInfo mec_info(const char* id, const char* title, const char* follows, DeviceKind);

/// mec1 (Algorithm 1), mec2a and mec2b (Algorithm 2, Solutions A and B), mec2 (which picks one of them by its tunable
/// T). A plan with the kernel mec_permute goes the way of Solution A; for a single image all of them make the same
/// products, and there is nothing to permute.
std::vector<std::unique_ptr<Method>> make_mec_methods(DeviceKind, MakeGpuProgram program, MakeGpuProgram pool);

/// mec3 lowers to L and multiplies it with tiles of its own; mec4 lowers in shared memory.
MethodInfo mec3_info(DeviceKind);
MethodInfo mec4_info(DeviceKind);
std::unique_ptr<Method> make_mec_tiled(MethodInfo, MakeGpuProgram program, MakeGpuProgram pool);
MecPlan plan_mec_method(const MethodInfo&, const ConvShape&, const LaunchConfig&, const DeviceModel&);

/// Blocks of mec3_lower that one strip takes, and its launch.
std::int64_t mec3_chunks(const ConvShape&);
KernelLaunch mec3_lowering(const ConvShape&);

}  // namespace convscope
