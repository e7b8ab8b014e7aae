// tensor3: tensor1 or tensor2, and for small layers ecr4 or pecr4.
#pragma once

#include <memory>

#include "kernels/method/registry.h"

namespace convscope {

/// Chooses between the registry's tensor1, tensor2, ecr4 and pecr4 of this kind of device, by the layer's shape alone:
/// the former two where there are windows and multiply-adds enough and they support the layer, else the latter two.
/// Each takes and returns its own layout; Execution::choice() names it.
std::unique_ptr<Method> make_tensor3(const Registry&, DeviceKind);

}  // namespace convscope
