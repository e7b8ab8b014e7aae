// im2col on a GPU, without its kernel: launch space and what a configuration leads to.
#pragma once

#include "kernels/simt/gpu_method.h"

namespace convscope {

std::unique_ptr<Method> make_im2col(DeviceKind, MakeGpuProgram program, MakeGpuProgram pool);

/// The launch of a kernel that fills a matrix of 'rows' rows of 'columns' adjacent elements: block x along a row,
/// block y and grid x over the rows. For im2col and MEC.
ResolvedLaunch plan_lowering(const char* kernel, std::int64_t rows, std::int64_t columns, const LaunchConfig&);

}  // namespace convscope
