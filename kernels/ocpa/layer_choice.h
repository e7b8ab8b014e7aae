// A method that has no kernel of its own: it chooses another one for each layer, by its shape.
#pragma once

#include <functional>
#include <memory>

#include "kernels/core/method.h"

namespace convscope {

/// The method for a layer. It outlives the choice.
using ChooseMethod = std::function<const Method&(const ConvShape&)>;

/// Supports, launches and computes what the chosen method does; Execution::choice() names it.
std::unique_ptr<Method> make_layer_choice(MethodInfo, ChooseMethod);

}  // namespace convscope
