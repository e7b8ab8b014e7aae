// The MEC methods on a GPU, without their kernels: shapes, launch spaces, what a configuration leads to.
#pragma once

#include <memory>
#include <vector>

#include "kernels/mec/mec_choice.h"
#include "kernels/simt/gpu_method.h"

namespace convscope {

/// mec1 (Algorithm 1), mec2a and mec2b (Algorithm 2, Solutions A and B), mec2 (which picks one of them by its tunable
/// T). A plan with the kernel mec_permute goes the way of Solution A; for a single image all of them make the same
/// products, and there is nothing to permute.
std::vector<std::unique_ptr<Method>> make_mec_methods(DeviceKind, MakeGpuProgram program, MakeGpuProgram pool);

}  // namespace convscope
