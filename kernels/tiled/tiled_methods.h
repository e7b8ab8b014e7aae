// The methods of Chang et al. on a GPU, without their kernels: shapes, launch spaces, what a plan leads to.
#pragma once

#include <memory>

#include "kernels/simt/gpu_method.h"
#include "kernels/tiled/multi2_plan.h"
#include "kernels/tiled/multi_plan.h"
#include "kernels/tiled/single2_plan.h"
#include "kernels/tiled/single_plan.h"

namespace convscope {

std::unique_ptr<Method> make_tiled_single(DeviceKind, MakeGpuProgram program, MakeGpuProgram pool);
std::unique_ptr<Method> make_tiled_single2(DeviceKind, MakeGpuProgram program, MakeGpuProgram pool);
std::unique_ptr<Method> make_tiled_multi(DeviceKind, MakeGpuProgram program, MakeGpuProgram pool);
std::unique_ptr<Method> make_tiled_multi2(DeviceKind, MakeGpuProgram program, MakeGpuProgram pool);

/// The plan behind a launch, with the tunables of its configuration.
SinglePlan plan_single(const ConvShape&, const LaunchConfig&, const DeviceModel&);
Single2Plan plan_single2(const ConvShape&, const LaunchConfig&, const DeviceModel&);
MultiPlan plan_multi(const ConvShape&, const LaunchConfig&, const DeviceModel&);

Multi2Plan plan_multi2(const ConvShape&, const LaunchConfig&, const DeviceModel&);

/// The kernel that has as many sums.
const char* multi2_kernel(const Multi2Plan&);

/// Elements that a thread of tiled_multi2_sum adds: 1 or 4.
std::int64_t multi2_sum_width(const ConvShape&);

}  // namespace convscope
