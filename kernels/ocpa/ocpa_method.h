// OCPA (Xu 2022, section 7): 'Optional Convolution and Pooling Algorithms' for the layers of a whole network. A layer
// with a pooling layer after it is computed by PECR, which fuses the two; any other layer by ECR.
#pragma once

#include <memory>

#include "kernels/method/registry.h"

namespace convscope {

/// OCPA on the registry's ecr3 and pecr3 of this kind of device, which must be registered before it and are those of
/// their families that take whole layers. It supports, launches and computes what the chosen one does;
/// Execution::choice() names it.
std::unique_ptr<Method> make_ocpa(const Registry&, DeviceKind);
/// The same on ecr4 and pecr4, which are for GPUs, real and simulated.
std::unique_ptr<Method> make_ocpa2(const Registry&, DeviceKind);

}  // namespace convscope
